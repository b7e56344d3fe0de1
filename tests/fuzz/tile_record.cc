// A record from a disk or memcached, and any tile, as if it were signed with the right key. An
// accepted record is one that was saved. An accepted tile has exactly the requested layers.
#include "server/cache/tile_record.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "proto/wire/tile_tag.h"
#include "server/tile/check_tile.h"
#include "server/tile/tile_contents.h"
#include "server/world/level_program.h"
#include "tests/fuzz/target.h"

namespace {

using namespace thalweg;  // NOLINT(google-build-using-namespace): a program of one file.

void CheckOrAbort(bool holds) {
  if (!holds) std::abort();
}

tile::LayerChoice Layers() {
  tile::LayerChoice layers;
  layers.Add(v1::LAYER_FLOW);
  return layers;
}

const cache::TileId kId{
    .world = {1, 2}, .key = {0, 3, -1, 5}, .layers = Layers().bits(), .precision = 1};

void TryRecord(std::string_view bytes) {
  const cache::MacKeys keys;
  const auto taken = cache::DecodeRecord(keys, kId, bytes);
  // The tile's bytes decide the whole header.
  if (taken.ok()) CheckOrAbort(cache::EncodeRecord(keys, kId, **taken) == bytes);
}

bool HasItsLayers(const v1::Tile& tile) {
  return tile.layers_size() == 2 && tile.layers(0).layer() == v1::LAYER_HEIGHT &&
         tile.layers(1).layer() == v1::LAYER_FLOW;
}

void TryTile(std::string_view bytes) {
  v1::Tile tile;
  const bool parsed = tile.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  CheckOrAbort(parsed || !tile::CheckTile(kId, bytes).ok());
  if (!parsed) return;
  // The tile claims to be the requested one.
  *tile.mutable_key() = tile::ToProto(kId.key);
  tile.set_world_id(cache::WorldIdOf(kId.world));
  tile.set_generator_version(world::kGeneratorVersion);
  tile.set_tag(wire::TileTag(tile.world_id(), kId.key, kId.layers, kId.precision));
  const std::string claimed = tile.SerializeAsString();
  CheckOrAbort(tile::CheckTile(kId, claimed).ok() == HasItsLayers(tile));
  tile::TileQuery query;
  query.layers = Layers();
  const auto planes =
      tile::TileContents(cache::FinishedTile{std::make_shared<const std::string>(claimed), {}})
          .Planes(query);
  if (!planes.ok()) return CheckOrAbort(absl::IsDataLoss(planes.status()));
  CheckOrAbort(HasItsLayers(tile) && planes->size() == 2);
  for (const auto& plane : *planes) {
    CheckOrAbort(plane.size() == std::size_t{wire::kTileVertices} * wire::kTileVertices);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  TryRecord(bytes);
  TryTile(bytes);
  return 0;
}
