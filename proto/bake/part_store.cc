#include "proto/bake/part_store.h"

#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/bake/planet_area.h"
#include "proto/base/message_text.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "thalweg/details/v1/bake_manifest.pb.h"

namespace thalweg::bake {
namespace {

static_assert(std::endian::native == std::endian::little,
              "values are written in the machine's byte order, which must be little-endian");

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
static_assert(sizeof(Header) == 40, "the header of parts on disk has 40 bytes");

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
  return absl::DataLossError(absl::StrCat("damaged part: ", why));
}

bool IsSane(const Header& header) {
  const auto fits = [](std::int32_t side) { return side >= 1 && side <= kPartSide; };
  return header.magic == kMagic && fits(header.width) && fits(header.height) &&
         header.grid <= static_cast<std::uint16_t>(GridKind::kCubeMap) && header.layers >= 1 &&
         header.layers <= kMaxLayers;
}

namespace fs = std::filesystem;

constexpr char kManifestName[] = "bake.json";
constexpr char kPartEnding[] = ".part";

absl::StatusOr<std::string> ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return files::SystemError("open", path, errno);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  // Of an empty file nothing is copied, which is a failure of `bytes` but not of `file`.
  if (file.bad()) return files::SystemError("read", path, EIO);
  return std::move(bytes).str();
}

bool IsOurs(std::string_view file_name) {
  return file_name == kManifestName || file_name.ends_with(kPartEnding);
}

// Removes what processes were writing, dead or not.
void RemoveTemporaries(const std::string& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name.starts_with(absl::StrCat(kManifestName, ".")) ||
                         name.find(absl::StrCat(kPartEnding, ".")) != std::string::npos;
    if (is_ours && name.ends_with(files::kTemporaryEnding)) unlink(entry.path().c_str());
  }
}

using details::v1::BakeManifest;

BakeManifest MessageOf(const Manifest& manifest) {
  BakeManifest message;
  message.set_world_id(manifest.world_id);
  message.set_generator_version(manifest.generator_version);
  message.set_level(static_cast<unsigned>(manifest.area.level));
  message.set_x0(manifest.area.x0);
  message.set_y0(manifest.area.y0);
  message.set_width(manifest.area.width);
  message.set_height(manifest.area.height);
  message.set_grid(static_cast<BakeManifest::Grid>(manifest.area.grid));
  message.set_face(static_cast<unsigned>(manifest.area.face));
  for (const int layer : manifest.layers) message.add_layers(static_cast<v1::Layer>(layer));
  message.set_part_side(kPartSide);
  if (!manifest.world.empty()) message.mutable_world()->ParseFromString(manifest.world);
  return message;
}

// Layers that this version has, as a manifest lists them.
absl::Status CheckManifestLayers(const BakeManifest& message, const std::string& path) {
  for (const int layer : message.layers()) {
    if (v1::Layer_IsValid(layer) && layer != v1::LAYER_UNSPECIFIED) continue;
    return absl::DataLossError(
        absl::StrCat("invalid layers in '", path, "': expected layers of this version, got ", layer,
                     ": use the version that baked this folder, or remove it and bake again"));
  }
  return absl::OkStatus();
}

// DATA_LOSS for values that no bake has.
absl::StatusOr<Manifest> ManifestOf(const BakeManifest& message, const std::string& path) {
  THALWEG_RETURN_IF_ERROR(CheckManifestLayers(message, path));
  Manifest manifest{
      .world_id = message.world_id(),
      .generator_version = message.generator_version(),
      .area = {static_cast<int>(message.level()), message.x0(), message.y0(), message.width(),
               message.height(), static_cast<GridKind>(message.grid()),
               static_cast<int>(message.face())},
      .layers = {message.layers().begin(), message.layers().end()},
      .world = message.has_world() ? message.world().SerializeAsString() : ""};
  constexpr std::int64_t kFar = std::int64_t{1} << 50;
  const bool of_plane = manifest.area.grid == GridKind::kVertices && manifest.area.face == 0;
  const absl::Status checked =
      of_plane ? CheckArea(manifest.area, kFar) : CheckPlanetArea(manifest.area);
  if (BakeManifest::Grid_IsValid(message.grid()) && checked.ok() &&
      message.part_side() == kPartSide && message.level() < wire::kMaxLevels &&
      !manifest.layers.empty()) {
    return manifest;
  }
  return absl::DataLossError(
      absl::StrCat("the file '", path, "' is not from a bake of this version; remove its folder"));
}

absl::StatusOr<BakeManifest> ReadManifest(const std::string& path) {
  THALWEG_ASSIGN_OR_RETURN(const std::string json, ReadWhole(path));
  BakeManifest message;
  const absl::Status parsed = text::FromJson(json, message);
  if (parsed.ok()) return message;
  return absl::DataLossError(absl::StrCat("invalid file '", path, "': ", parsed.message(),
                                          "; remove its folder and bake again"));
}

// The manifest in one line, without the world, which decides no values.
std::string Summary(BakeManifest message) {
  message.clear_world();
  return message.ShortDebugString();
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
  if (!IsSane(header)) return Damaged("its header is not that of a part");
  bytes.remove_prefix(sizeof header);
  PartValues part{{header.level, header.x0, header.y0, header.width, header.height,
                   static_cast<GridKind>(header.grid), header.face},
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

PartStore::PartStore(std::string folder, Manifest manifest)
    : folder_(std::move(folder)), manifest_(std::move(manifest)) {}

absl::StatusOr<PartStore> PartStore::Open(const std::string& folder, const Manifest& manifest) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return files::SystemError("create", folder, error.value());
  files::RemoveAbandoned(folder, IsOurs);
  const std::string path = absl::StrCat(folder, "/", kManifestName);
  const BakeManifest message = MessageOf(manifest);
  if (!fs::exists(path)) {
    THALWEG_ASSIGN_OR_RETURN(const std::string text, text::ToJson(message));
    THALWEG_RETURN_IF_ERROR(files::WriteWhole(path, text));
  }
  THALWEG_ASSIGN_OR_RETURN(const BakeManifest there, ReadManifest(path));
  const std::string is = Summary(there);
  const std::string asked = Summary(message);
  if (is == asked) return PartStore(folder, manifest);
  return absl::FailedPreconditionError(absl::StrCat(
      "the folder '", folder, "' has parts of another bake (", is, "), not of this one (", asked,
      "): finish that one, remove the folder, or name another"));
}

absl::StatusOr<PartStore> PartStore::OpenWhatIsThere(const std::string& folder) {
  const std::string path = absl::StrCat(folder, "/", kManifestName);
  std::error_code error;
  if (!fs::exists(path, error)) {
    return absl::NotFoundError(absl::StrCat("the folder '", folder, "' has no parts of a bake"));
  }
  THALWEG_ASSIGN_OR_RETURN(const BakeManifest message, ReadManifest(path));
  THALWEG_ASSIGN_OR_RETURN(Manifest manifest, ManifestOf(message, path));
  return PartStore(folder, std::move(manifest));
}

std::string PartStore::PathOf(const Part& part) const {
  return absl::StrCat(folder_, "/", part.x, "_", part.y, kPartEnding);
}

bool PartStore::Has(const Part& part) const {
  std::error_code error;
  return fs::exists(PathOf(part), error);
}

absl::StatusOr<std::int64_t> PartStore::BytesOf(const Part& part) const {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(PathOf(part), error);
  if (error) return files::SystemError("open", PathOf(part), error.value());
  return static_cast<std::int64_t>(bytes);
}

absl::Status PartStore::Write(const Part& part, const PartValues& values) const {
  return files::WriteWhole(PathOf(part), EncodePart(values));
}

absl::StatusOr<PartValues> PartStore::Read(const Part& part) const {
  THALWEG_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(PathOf(part)));
  absl::StatusOr<PartValues> values = DecodePart(bytes);
  if (!values.ok()) {
    return absl::DataLossError(absl::StrCat(PathOf(part), ": ", values.status().message(),
                                            "; remove it and run the same command again"));
  }
  const bool same_layers =
      std::ranges::equal(values->planes, manifest_.layers, {}, &PartPlane::layer);
  if (same_layers && values->area == Clipped(manifest_.area, part)) return values;
  return absl::DataLossError(absl::StrCat(PathOf(part), " is a part of another bake; remove it"));
}

absl::Status PartStore::Remove(const std::vector<Part>& parts) const {
  const std::string manifest = absl::StrCat(folder_, "/", kManifestName);
  for (const Part& part : parts) unlink(PathOf(part).c_str());
  // The manifest goes last, also on the disk: parts without one would be taken for those of the
  // next bake in this folder.
  THALWEG_RETURN_IF_ERROR(files::SyncFolderOf(manifest));
  unlink(manifest.c_str());
  RemoveTemporaries(folder_);
  if (rmdir(folder_.c_str()) == 0) return absl::OkStatus();
  return files::SystemError("remove", folder_, errno);
}

}  // namespace thalweg::bake
