// Makes a fake server send terrain that a test defines.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_key.h"
#include "tests/client/fake_server.h"

namespace thalweg::client_test {

// The value of a layer at a vertex of a level.
using TerrainFunction =
    std::function<std::int32_t(Layer layer, int level, std::int64_t x, std::int64_t y)>;

// From now on, the server's tiles have this terrain.
inline void Tell(FakeServer& server, TerrainFunction terrain) {
  server.lies.tile = [terrain = std::move(terrain)](v1::Tile& tile) {
    for (v1::TileLayer& layer : *tile.mutable_layers()) {
      std::vector<std::int32_t> values;
      for (int y = 0; y < wire::kTileVertices; ++y) {
        for (int x = 0; x < wire::kTileVertices; ++x) {
          values.push_back(terrain(
              static_cast<Layer>(layer.layer()), static_cast<int>(tile.key().level()),
              tile.key().x() * wire::kTileCells + x, tile.key().y() * wire::kTileCells + y));
        }
      }
      const wire::EncodedLayer encoded =
          wire::EncodeLayer(values, wire::kTileVertices, wire::kTileVertices, 0);
      layer.set_min(encoded.min);
      layer.set_max(encoded.max);
      layer.set_lattice_shift(0);
      layer.set_data(encoded.data);
    }
  };
}

}  // namespace thalweg::client_test
