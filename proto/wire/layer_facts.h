// The layers of the contract and their facts, which are options in thalweg/v1/tile.proto.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "thalweg/v1/tile.pb.h"

namespace thalweg::wire {

// Returns every layer, in the order of their numbers.
const std::vector<v1::Layer>& AllLayers();

// Returns the facts of a layer; aborts for an unknown number.
const v1::LayerFacts& FactsOf(v1::Layer layer);

// Returns the layer with a name; nothing for any other text.
std::optional<v1::Layer> FindLayer(std::string_view name);

// Returns the layer's grey levels, in its unit: value = offset + grey * step. It must have them.
double GreyStepOf(const v1::LayerFacts& facts);
double GreyOffsetOf(const v1::LayerFacts& facts);

}  // namespace thalweg::wire
