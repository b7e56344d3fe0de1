#include "client/src/store/tile_file.h"

#include <xxhash.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/src/contract/keys.h"

namespace thalweg {
namespace {

constexpr char kSuffix[] = ".tile";
// Eight numbers with their signs and separators.
constexpr std::size_t kLongestName = 128;

// The header before the message, little-endian.
struct Header {
  char magic[8] = {'t', 'h', 'a', 'l', 't', 'i', 'l', '1'};
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 24);

Header HeaderOf(std::string_view body) {
  Header header;
  header.bytes = body.size();
  header.checksum = XXH3_64bits(body.data(), body.size());
  return header;
}

bool Same(const FiledTile& a, const FiledTile& b) {
  return a.key == b.key && a.tag == b.tag && a.facts.geometric_error == b.facts.geometric_error &&
         a.facts.min_height == b.facts.min_height && a.facts.max_height == b.facts.max_height;
}

}  // namespace

FiledTile FiledAs(const v1::Tile& message) {
  FiledTile tile{.key = ToWire(message.key()), .tag = message.tag(), .facts = {}};
  tile.facts.geometric_error = message.geometric_error();
  for (const v1::TileLayer& layer : message.layers()) {
    if (layer.layer() != v1::LAYER_HEIGHT) continue;
    tile.facts.min_height = layer.min();
    tile.facts.max_height = layer.max();
  }
  return tile;
}

std::string FileNameOf(const FiledTile& tile) {
  return absl::StrFormat("%d_%d_%d_%d_%016x_%u_%d_%d%s", tile.key.face, tile.key.level, tile.key.x,
                         tile.key.y, tile.tag, tile.facts.geometric_error, tile.facts.min_height,
                         tile.facts.max_height, kSuffix);
}

std::optional<FiledTile> FromFileName(const std::string& name) {
  FiledTile tile;
  if (name.size() > kLongestName ||
      std::sscanf(name.c_str(), "%d_%d_%" SCNd64 "_%" SCNd64 "_%" SCNx64 "_%u_%d_%d",
                  &tile.key.face, &tile.key.level, &tile.key.x, &tile.key.y, &tile.tag,
                  &tile.facts.geometric_error, &tile.facts.min_height,
                  &tile.facts.max_height) != 8 ||
      FileNameOf(tile) != name) {
    return std::nullopt;
  }
  const bool possible =
      wire::CheckTileKey(tile.key, wire::WidestShapeOf(tile.key), wire::kMaxLevels).ok() &&
      tile.facts.min_height <= tile.facts.max_height;
  return possible ? std::optional(tile) : std::nullopt;
}

std::string FileOf(const v1::Tile& message) {
  const std::string body = message.SerializeAsString();
  const Header header = HeaderOf(body);
  return absl::StrCat(absl::string_view(reinterpret_cast<const char*>(&header), sizeof header),
                      body);
}

absl::StatusOr<v1::Tile> FromFile(std::string_view bytes, const FiledTile& tile) {
  Header header;
  if (bytes.size() < sizeof header) return absl::DataLossError("no header");
  if (bytes.size() > kMaxFileBytes) {
    return absl::DataLossError(
        absl::StrCat("invalid size: expected max ", kMaxFileBytes, " bytes, got more"));
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view body = bytes.substr(sizeof header);
  const Header sound = HeaderOf(body);
  if (std::memcmp(header.magic, sound.magic, sizeof sound.magic) != 0) {
    return absl::DataLossError("not the file of a tile");
  }
  if (header.bytes != sound.bytes) return absl::DataLossError("fewer bytes than its header says");
  if (header.checksum != sound.checksum)
    return absl::DataLossError("another checksum than its header's");
  v1::Tile message;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size())) ||
      !Same(FiledAs(message), tile)) {
    return absl::DataLossError("the file of another tile");
  }
  return message;
}

}  // namespace thalweg
