// The layers of the contract, and what each is made of: a layer of the backend's as it is, or
// something derived from a few of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "server/backend/backend.h"
#include "server/field/field.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

// The layers that can be made of these backend layers.
std::vector<v1::Layer> LayersOf(const backend::LayerSet& offered);

// Whether a layer can be asked for.
bool HasLayer(const world::World& world, v1::Layer layer);

// What the field has to give for some layers of the contract, and no more: each layer once, and a
// margin if one of them is a derivative.
struct Sources {
  std::vector<backend::Layer> layers;
  int margin = 0;
};
Sources SourcesOf(const std::vector<v1::Layer>& layers);

// A tile's values as the field gave them for some sources, in their order.
struct SourcePlanes {
  const Sources& sources;
  const field::TileValues& values;
  const world::World& world;
  wire::TileKey key;
  // Whether layers with a lattice of their own kind, not a shift, are put on it.
  bool rounded;
};

// The 257 x 257 values of a layer whose sources are there: the source's own values if the layer is
// its only source as it is, else values in `scratch`.
std::span<const std::int32_t> MakeLayer(v1::Layer layer, const SourcePlanes& planes,
                                        std::vector<std::int32_t>& scratch);

}  // namespace thalweg::tile
