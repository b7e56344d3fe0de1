// The layers of the contract and their facts, which are options in thalweg/v1/tile.proto.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "thalweg/v1/tile.pb.h"

namespace thalweg::wire {

// Every layer, in the order of their numbers.
const std::vector<v1::Layer>& AllLayers();

// The facts of a layer; a number that is none aborts.
const v1::LayerFacts& FactsOf(v1::Layer layer);

// The layer of a name; nothing for any other text.
std::optional<v1::Layer> FindLayer(std::string_view name);

// Of the layer's grey levels, in its unit: value = offset + grey * step. It must have them.
double GreyStepOf(const v1::LayerFacts& facts);
double GreyOffsetOf(const v1::LayerFacts& facts);

}  // namespace thalweg::wire
