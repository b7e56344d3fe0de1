#include "proto/bake/part_file.h"

#include <zstd.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/bake/bake_plan.h"

namespace thalweg::bake {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie");

constexpr std::uint32_t kMagic = 0x31505754;  // "TWP1"
constexpr int kMaxLayers = 32;
constexpr int kCompression = 3;

struct Header {
  std::uint32_t magic = kMagic;
  std::int32_t level = 0;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::int32_t layers = 0;
  // 0 in files from before there were planets.
  std::uint16_t grid = 0;
  std::uint16_t face = 0;
};
static_assert(sizeof(Header) == 40, "parts on disk begin so");

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

// Replaces each value by its difference to the one before it in its row; wraps.
void Difference(std::vector<std::uint32_t>& values, std::size_t width) {
  for (std::size_t row = 0; row < values.size(); row += width) {
    for (std::size_t i = row + width - 1; i > row; --i) values[i] -= values[i - 1];
  }
}

void Sum(std::vector<std::int32_t>& values, std::size_t width) {
  for (std::size_t row = 0; row < values.size(); row += width) {
    for (std::size_t i = row + 1; i < row + width; ++i) {
      values[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(values[i]) +
                                            static_cast<std::uint32_t>(values[i - 1]));
    }
  }
}

absl::Status Damaged(const char* why) {
  return absl::DataLossError(absl::StrCat("invalid part: expected what a bake wrote, got ", why));
}

bool IsSane(const Header& header) {
  const auto fits = [](std::int32_t side) { return side >= 1 && side <= kPartSide; };
  return header.magic == kMagic && fits(header.width) && fits(header.height) &&
         header.grid <= static_cast<std::uint16_t>(Grid::kCubeMap) && header.layers >= 1 &&
         header.layers <= kMaxLayers;
}

}  // namespace

std::string EncodePart(const PartValues& part) {
  Header header;
  header.level = part.area.level;
  header.x0 = part.area.x0;
  header.y0 = part.area.y0;
  header.width = static_cast<std::int32_t>(part.area.width);
  header.height = static_cast<std::int32_t>(part.area.height);
  header.grid = static_cast<std::uint16_t>(part.area.grid);
  header.face = static_cast<std::uint16_t>(part.area.face);
  header.layers = static_cast<std::int32_t>(part.planes.size());
  std::vector<std::uint32_t> values;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  for (const PartPlane& plane : part.planes) {
    const std::int32_t layer = plane.layer;
    bytes.append(reinterpret_cast<const char*>(&layer), sizeof layer);
    values.insert(values.end(), plane.values.begin(), plane.values.end());
  }
  Difference(values, static_cast<std::size_t>(part.area.width));

  const std::size_t head = bytes.size();
  const std::size_t size = values.size() * sizeof(std::uint32_t);
  bytes.resize(head + ZSTD_compressBound(size));
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompression);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t written =
      ZSTD_compress2(context.get(), bytes.data() + head, bytes.size() - head, values.data(), size);
  bytes.resize(head + written);
  return bytes;
}

absl::StatusOr<PartValues> DecodePart(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header) return Damaged("fewer bytes than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (!IsSane(header)) return Damaged("another header");
  bytes.remove_prefix(sizeof header);
  PartValues part{{header.level, header.x0, header.y0, header.width, header.height,
                   static_cast<Grid>(header.grid), header.face},
                  {}};
  const auto layers = static_cast<std::size_t>(header.layers);
  if (bytes.size() < layers * sizeof(std::int32_t))
    return Damaged("fewer bytes than its header says");
  for (std::size_t i = 0; i < layers; ++i) {
    std::int32_t layer = 0;
    std::memcpy(&layer, bytes.data() + i * sizeof layer, sizeof layer);
    part.planes.push_back({layer, {}});
  }
  bytes.remove_prefix(layers * sizeof(std::int32_t));

  const auto width = static_cast<std::size_t>(header.width);
  const std::size_t plane_size = width * static_cast<std::size_t>(header.height);
  std::vector<std::int32_t> values(plane_size * layers);
  const std::size_t size = values.size() * sizeof(std::int32_t);
  const std::size_t read = ZSTD_decompress(values.data(), size, bytes.data(), bytes.size());
  if (ZSTD_isError(read) != 0) return Damaged(ZSTD_getErrorName(read));
  if (read != size) return Damaged("fewer bytes than its header says");
  Sum(values, width);
  for (std::size_t i = 0; i < layers; ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * plane_size);
    part.planes[i].values.assign(first, first + static_cast<std::ptrdiff_t>(plane_size));
  }
  return part;
}

}  // namespace thalweg::bake
