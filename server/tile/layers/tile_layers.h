// The layers of the contract, and what each is made of: one of the backend's layers, or values
// derived from several.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "server/field/field.h"
#include "server/stages/layer.h"
#include "server/world/world.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

// The layers that can be made of these backend layers.
std::vector<v1::Layer> LayersOf(const stages::LayerSet& offered);

// Whether clients can ask a world for a layer.
bool HasLayer(const world::World& world, v1::Layer layer);

// The backend's layers that some layers of the contract need, each once, and a margin if one of
// them is a derivative.
struct Sources {
  std::vector<stages::Layer> layers;
  int margin = 0;
};
Sources SourcesOf(const std::vector<v1::Layer>& layers);

// A tile's values from the field, in the order of their sources.
struct SourcePlanes {
  const Sources& sources;
  const field::TileValues& values;
  const world::World& world;
  wire::TileKey key;
  // Whether layers whose lattice is not a shift are rounded to it.
  bool rounded;
};

// The 257 x 257 values of a layer, whose sources must be in `planes`. They are the source's own
// values if the layer equals its only source, else they are in `scratch`.
std::span<const std::int32_t> MakeLayer(v1::Layer layer, const SourcePlanes& planes,
                                        std::vector<std::int32_t>& scratch);

}  // namespace thalweg::tile
