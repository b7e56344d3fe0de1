// The layers of the contract as HTTP names and draws them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// The 16-bit lattice of png16, the same for every tile of every world: grey = (value - offset) /
// 2^shift, rounded down from the middle of a step on, 0 to 65,535.
struct Grey16 {
  int shift = 0;
  std::int32_t offset = 0;
};

struct LayerFacts {
  v1::Layer layer;
  // "water-depth".
  std::string_view name;
  // What a value times the scale counts; empty for a plain number.
  std::string_view unit;
  double scale;
  // Absent: its values are no single number.
  std::optional<Grey16> grey;
};

// Every layer, in the order of their numbers.
std::span<const LayerFacts> AllLayerFacts();

// Of a layer of the contract.
const LayerFacts& FactsOf(v1::Layer layer);

// The layer of a name; null if there is none.
const LayerFacts* FindLayer(std::string_view name);

// Of a grey level, in the layer's unit.
double StepOf(const LayerFacts& facts);
double OffsetOf(const LayerFacts& facts);

}  // namespace thalweg::raster
