#include "server/tile/check_tile.h"

#include <limits>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"
#include "proto/wire/invalid.h"
#include "proto/wire/tile_tag.h"
#include "server/tile/tile_query.h"
#include "server/world/level_program.h"

namespace thalweg::tile {
namespace {

absl::Status Invalid(const char* what, const absl::AlphaNum& expected, const absl::AlphaNum& got) {
  return wire::Invalid(what, expected, got, absl::StatusCode::kDataLoss);
}

std::string TextOf(const wire::TileKey& key) {
  return absl::StrCat(key.face, "/", key.level, "/", key.x, "/", key.y);
}

std::string LayerNames(const v1::Tile& tile) {
  return absl::StrJoin(tile.layers(), ", ", [](std::string* out, const v1::TileLayer& layer) {
    absl::StrAppend(out, static_cast<int>(layer.layer()));
  });
}

std::string LayerNames(const cache::TileId& id) {
  std::string numbers;
  for (int n = 0; n < std::numeric_limits<std::uint32_t>::digits; ++n) {
    if ((id.layers >> n & 1U) != 0) absl::StrAppend(&numbers, numbers.empty() ? "" : ", ", n);
  }
  return numbers;
}

}  // namespace

lod::TileFacts FactsOf(const v1::Tile& tile) {
  lod::TileFacts facts;
  facts.geometric_error = tile.geometric_error();
  for (const v1::TileLayer& layer : tile.layers()) {
    if (layer.layer() != v1::LAYER_HEIGHT) continue;
    facts.min_height = layer.min();
    facts.max_height = layer.max();
  }
  return facts;
}

absl::StatusOr<lod::TileFacts> CheckTile(const cache::TileId& id, std::string_view bytes) {
  v1::Tile tile;
  if (!tile.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::DataLossError(absl::StrCat("the ", bytes.size(), " bytes are not a tile"));
  }
  const std::string world = cache::WorldIdOf(id.world);
  if (tile.world_id() != world) {
    return Invalid("tile's world", absl::BytesToHexString(world),
                   absl::BytesToHexString(tile.world_id()));
  }
  if (FromProto(tile.key()) != id.key) {
    return Invalid("tile's key", TextOf(id.key), TextOf(FromProto(tile.key())));
  }
  if (tile.generator_version() != world::kGeneratorVersion) {
    return Invalid("tile's generator version", world::kGeneratorVersion, tile.generator_version());
  }
  const std::uint64_t tag = wire::TileTag(world, id.key, id.layers, id.precision);
  if (tile.tag() != tag) return Invalid("tile's tag", absl::Hex(tag), absl::Hex(tile.tag()));
  if (LayerNames(tile) != LayerNames(id))
    return Invalid("tile's layers", LayerNames(id), LayerNames(tile));
  return FactsOf(tile);
}

}  // namespace thalweg::tile
