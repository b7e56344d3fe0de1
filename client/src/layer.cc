#include "thalweg/layer.h"

#include <array>
#include <cstddef>
#include <cstdlib>

namespace thalweg {
namespace {

constexpr double kQ16 = 1.0 / 65536;
constexpr double kQ8 = 1.0 / 256;

constexpr std::array kLayers = {
    LayerDescription{Layer::kHeight, "height", "m", kQ16, "height of the ground above the datum"},
    LayerDescription{Layer::kFlow, "flow", "cells", kQ8, "mean discharge, in rain on a cell"},
    LayerDescription{Layer::kWashLoad, "wash-load", "m", kQ16,
                     "thickness of what water keeps in suspension"},
    LayerDescription{Layer::kUplift, "uplift", "m", kQ16, "height that the crust gave back"},
    LayerDescription{Layer::kSediment, "sediment", "m", kQ16, "thickness of soft ground"},
    LayerDescription{Layer::kWaterLevel, "water-level", "m", kQ16,
                     "height of lakes and sea, of the ground where it is dry"},
    LayerDescription{Layer::kWaterDepth, "water-depth", "m", kQ16, "depth of lakes and sea"},
    LayerDescription{Layer::kVegetation, "vegetation", "", kQ16, "density of plants, 0 to 1"},
    LayerDescription{Layer::kWear, "wear", "m", kQ16, "ground that the level lost"},
    LayerDescription{Layer::kDeposit, "deposit", "m", kQ16, "ground that the level gained"},
    LayerDescription{Layer::kShoreDistance, "shore-distance", "cells", kQ8,
                     "distance to the shore, negative under water"},
    LayerDescription{Layer::kShoreDirection, "shore-direction", "deg", 360 * kQ16,
                     "where the shore is, clockwise from east"},
    LayerDescription{Layer::kNormal, "normal", "", 1, "unit normal of the ground, packed"},
    LayerDescription{Layer::kSlope, "slope", "", kQ16, "tangent of the ground's steepness"},
};

}  // namespace

std::span<const LayerDescription> AllLayers() { return kLayers; }

bool IsLayer(int number) { return number >= 1 && number <= static_cast<int>(kLayers.size()); }

const LayerDescription& DescriptionOf(Layer layer) {
  if (!IsLayer(static_cast<int>(layer))) std::abort();
  return kLayers[static_cast<std::size_t>(layer) - 1];
}

std::string_view LayerName(Layer layer) { return DescriptionOf(layer).name; }

std::optional<Layer> LayerFromName(std::string_view name) {
  for (const LayerDescription& description : kLayers) {
    if (description.name == name) return description.layer;
  }
  return std::nullopt;
}

}  // namespace thalweg
