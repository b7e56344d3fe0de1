#include "proto/elevation/elevation_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/sha256.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"

namespace thalweg::elevation {
namespace {

constexpr std::string_view kMagic = "thalweg elevation 1\n";
constexpr int kTileSide = 256;
constexpr std::size_t kHashDigits = 16;

int TilesAlong(int side) { return (side + kTileSide - 1) / kTileSide; }

std::size_t TilesOf(const SheetShape& shape) {
  return static_cast<std::size_t>(TilesAlong(shape.width)) *
         static_cast<std::size_t>(TilesAlong(shape.height)) * kPlanes;
}

template <typename Unsigned>
void Append(Unsigned value, std::string& bytes) {
  for (std::size_t i = 0; i < sizeof(value); ++i) {
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  }
}

// Reads numbers from the front of some bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool has(std::size_t size) const { return bytes_.size() >= size; }
  std::size_t left() const { return bytes_.size(); }

  template <typename Unsigned>
  Unsigned Read() {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof(value); ++i) {
      value |= static_cast<Unsigned>(static_cast<unsigned char>(bytes_[i])) << (8 * i);
    }
    bytes_.remove_prefix(sizeof(value));
    return value;
  }
  void Skip(std::size_t size) { bytes_.remove_prefix(size); }

 private:
  std::string_view bytes_;
};

absl::Status Damaged(const std::string& what) {
  return absl::DataLossError(absl::StrCat("invalid elevation file: ", what));
}

// The largest multiple of 2^step up to half the side, negated and in steps: where a sheet begins.
int FirstVertex(int side, int step) { return -((side / 2) >> step); }
int CountOfVertices(int side, int step) {
  return (side / 2 >> step) + ((side - 1 - side / 2) >> step) + 1;
}

void AppendSheet(const Sheet& sheet, std::string& sizes, std::string& data) {
  const SheetShape& shape = sheet.shape;
  std::vector<std::int32_t> values;
  for (const std::vector<std::int32_t>& plane : sheet.planes) {
    if (plane.size() !=
        static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.height)) {
      std::abort();
    }
    for (int y = 0; y < shape.height; y += kTileSide) {
      for (int x = 0; x < shape.width; x += kTileSide) {
        const int width = std::min(kTileSide, shape.width - x);
        const int height = std::min(kTileSide, shape.height - y);
        values.clear();
        for (int row = y; row < y + height; ++row) {
          const auto from = plane.begin() + std::ptrdiff_t{row} * shape.width + x;
          values.insert(values.end(), from, from + width);
        }
        const std::string tile = wire::EncodeLayer(values, width, height, 0).data;
        Append(static_cast<std::uint32_t>(tile.size()), sizes);
        data += tile;
      }
    }
  }
}

}  // namespace

SheetShape ShapeOfSheet(int width, int height, int step) {
  return {FirstVertex(width, step), FirstVertex(height, step), CountOfVertices(width, step),
          CountOfVertices(height, step)};
}

std::string Encode(double cell_size_m, std::span<const Sheet> sheets) {
  if (sheets.empty() || sheets.size() > kMaxSheets) std::abort();
  const SheetShape& raster = sheets.front().shape;
  std::string bytes(kMagic);
  Append(std::bit_cast<std::uint64_t>(cell_size_m), bytes);
  Append(static_cast<std::uint32_t>(raster.width), bytes);
  Append(static_cast<std::uint32_t>(raster.height), bytes);
  Append(static_cast<std::uint32_t>(sheets.size()), bytes);
  std::string data;
  for (std::size_t step = 0; step < sheets.size(); ++step) {
    const SheetShape& shape = sheets[step].shape;
    if (shape != ShapeOfSheet(raster.width, raster.height, static_cast<int>(step))) std::abort();
    AppendSheet(sheets[step], bytes, data);
  }
  return bytes + data;
}

std::string HashOf(std::string_view bytes) { return absl::BytesToHexString(wire::Sha256(bytes)); }

std::string FileNameOf(std::string_view hash) {
  const std::string_view digits = hash.substr(0, kHashDigits);
  return absl::StrCat(absl::string_view(digits.data(), digits.size()), ".elevation");
}

absl::StatusOr<std::shared_ptr<const ElevationFile>> ElevationFile::Parse(std::string bytes) {
  std::shared_ptr<ElevationFile> file(new ElevationFile());
  file->bytes_ = std::move(bytes);
  file->hash_ = HashOf(file->bytes_);
  Reader reader(file->bytes_);
  constexpr std::size_t kHeadBytes = 8 + 3 * 4;
  if (!std::string_view(file->bytes_).starts_with(kMagic) ||
      !reader.has(kMagic.size() + kHeadBytes)) {
    return Damaged("its first bytes are not those of an elevation file");
  }
  reader.Skip(kMagic.size());
  file->cell_size_m_ = std::bit_cast<double>(reader.Read<std::uint64_t>());
  const auto width = reader.Read<std::uint32_t>();
  const auto height = reader.Read<std::uint32_t>();
  const auto sheets = reader.Read<std::uint32_t>();
  if (!std::isfinite(file->cell_size_m_) || file->cell_size_m_ <= 0 || width < 1 || height < 1 ||
      width > kMaxSide || height > kMaxSide || sheets < 1 || sheets > kMaxSheets) {
    return Damaged(absl::StrCat("expected max ", kMaxSide, " vertices on a side, got ", width,
                                " x ", height, " of ", file->cell_size_m_, " m"));
  }
  std::size_t tiles = 0;
  for (std::uint32_t step = 0; step < sheets; ++step) {
    file->first_tiles_.push_back(tiles);
    file->shapes_.push_back(
        ShapeOfSheet(static_cast<int>(width), static_cast<int>(height), static_cast<int>(step)));
    tiles += TilesOf(file->shapes_.back());
  }
  if (!reader.has(4 * tiles)) return Damaged("it ends before its data");
  const std::size_t begin = file->bytes_.size() - reader.left() + 4 * tiles;
  std::size_t at = begin;
  for (std::size_t i = 0; i < tiles; ++i) {
    const std::size_t size = reader.Read<std::uint32_t>();
    file->tiles_.push_back({at, size});
    at += size;
  }
  if (at != file->bytes_.size()) {
    return Damaged(absl::StrCat("expected ", at, " bytes, got ", file->bytes_.size()));
  }
  THALWEG_RETURN_IF_ERROR(file->CheckTiles());
  return file;
}

std::size_t ElevationFile::TileIndex(int sheet, Plane plane, int column, int row) const {
  const SheetShape& of = shape(sheet);
  const auto planes_before = static_cast<std::size_t>(plane);
  const std::size_t across = static_cast<std::size_t>(TilesAlong(of.width));
  const std::size_t down = static_cast<std::size_t>(TilesAlong(of.height));
  return first_tiles_[static_cast<std::size_t>(sheet)] +
         (planes_before * down + static_cast<std::size_t>(row)) * across +
         static_cast<std::size_t>(column);
}

absl::Status ElevationFile::Decode(const Tile& tile, int width, int height, Plane plane,
                                   std::span<std::int32_t> values) const {
  THALWEG_RETURN_IF_ERROR(wire::DecodeLayerInto(
      std::string_view(bytes_).substr(tile.at, tile.bytes), width, height, 0, values));
  if (plane == Plane::kGround) return absl::OkStatus();
  for (const std::int32_t value : values) {
    const bool is_way = DirectionOf(value) <= kEnds && SteepnessOf(value) > 0 && value < (1 << 12);
    if (value < 1 || (plane == Plane::kWay && !is_way)) {
      return Damaged(absl::StrCat("expected areas and ways, got ", value));
    }
  }
  return absl::OkStatus();
}

// Decodes every tile, so that reading can't fail later.
absl::Status ElevationFile::CheckTiles() const {
  std::vector<std::int32_t> values;
  for (int sheet = 0; sheet < sheets(); ++sheet) {
    const SheetShape& of = shape(sheet);
    for (const Plane plane : {Plane::kGround, Plane::kArea, Plane::kWay}) {
      for (int y = 0; y < of.height; y += kTileSide) {
        for (int x = 0; x < of.width; x += kTileSide) {
          const int width = std::min(kTileSide, of.width - x);
          const int height = std::min(kTileSide, of.height - y);
          values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
          const Tile& tile = tiles_[TileIndex(sheet, plane, x / kTileSide, y / kTileSide)];
          THALWEG_RETURN_IF_ERROR(Decode(tile, width, height, plane, values));
        }
      }
    }
  }
  return absl::OkStatus();
}

void ElevationFile::Read(int sheet, Plane plane, int x, int y, int width, int height,
                         std::span<std::int32_t> values) const {
  const SheetShape& of = shape(sheet);
  std::vector<std::int32_t> tile;
  for (int ty = y / kTileSide; ty * kTileSide < y + height; ++ty) {
    for (int tx = x / kTileSide; tx * kTileSide < x + width; ++tx) {
      const int tile_width = std::min(kTileSide, of.width - tx * kTileSide);
      const int tile_height = std::min(kTileSide, of.height - ty * kTileSide);
      tile.resize(static_cast<std::size_t>(tile_width) * static_cast<std::size_t>(tile_height));
      // CheckTiles has decoded it before.
      if (!Decode(tiles_[TileIndex(sheet, plane, tx, ty)], tile_width, tile_height, plane, tile)
               .ok()) {
        std::abort();
      }
      const int west = std::max(x, tx * kTileSide);
      const int east = std::min(x + width, tx * kTileSide + tile_width);
      const int north = std::max(y, ty * kTileSide);
      const int south = std::min(y + height, ty * kTileSide + tile_height);
      for (int row = north; row < south; ++row) {
        const auto from = tile.begin() + std::ptrdiff_t{row - ty * kTileSide} * tile_width + west -
                          tx * kTileSide;
        std::copy_n(from, east - west, values.begin() + std::ptrdiff_t{row - y} * width + west - x);
      }
    }
  }
}

}  // namespace thalweg::elevation
