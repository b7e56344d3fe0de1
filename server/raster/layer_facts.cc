#include "server/raster/layer_facts.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace thalweg::raster {
namespace {

constexpr double kUnitM = 1.0 / 65'536;
constexpr std::int32_t kPerMetre = 65'536;

// Surfaces from -1,024 to 7,168 m in steps of 1/8 m; depths and thicknesses in 1/64 m; changes in
// 1/64 m, either way.
constexpr Grey16 kSurface{13, -1'024 * kPerMetre};
constexpr Grey16 kThickness{10, 0};
constexpr Grey16 kChange{10, -512 * kPerMetre};

constexpr std::array kFacts{
    LayerFacts{v1::LAYER_HEIGHT, "height", "m", kUnitM, kSurface},
    LayerFacts{v1::LAYER_FLOW, "flow", "cells", 1.0 / 256, Grey16{8, 0}},
    LayerFacts{v1::LAYER_WASH_LOAD, "wash-load", "m", kUnitM, kChange},
    LayerFacts{v1::LAYER_UPLIFT, "uplift", "m", kUnitM, kChange},
    LayerFacts{v1::LAYER_SEDIMENT, "sediment", "m", kUnitM, kThickness},
    LayerFacts{v1::LAYER_WATER_LEVEL, "water-level", "m", kUnitM, kSurface},
    LayerFacts{v1::LAYER_WATER_DEPTH, "water-depth", "m", kUnitM, kThickness},
    LayerFacts{v1::LAYER_VEGETATION, "vegetation", "", 1.0 / 65'536, Grey16{0, 0}},
    LayerFacts{v1::LAYER_WEAR, "wear", "m", kUnitM, kThickness},
    LayerFacts{v1::LAYER_DEPOSIT, "deposit", "m", kUnitM, kThickness},
    LayerFacts{v1::LAYER_SHORE_DISTANCE, "shore-distance", "cells", 1.0 / 256, Grey16{1, -65'536}},
    LayerFacts{v1::LAYER_SHORE_DIRECTION, "shore-direction", "deg", 360.0 / 65'536, Grey16{0, 0}},
    LayerFacts{v1::LAYER_NORMAL, "normal", "", 1.0 / 32'767, std::nullopt},
    LayerFacts{v1::LAYER_SLOPE, "slope", "", 1.0 / 65'536, Grey16{5, 0}},
};

}  // namespace

std::span<const LayerFacts> AllLayerFacts() { return kFacts; }

const LayerFacts& FactsOf(v1::Layer layer) {
  for (const LayerFacts& facts : kFacts) {
    if (facts.layer == layer) return facts;
  }
  std::fprintf(stderr, "layer facts: layer %d was not checked\n", static_cast<int>(layer));
  std::abort();
}

const LayerFacts* FindLayer(std::string_view name) {
  for (const LayerFacts& facts : kFacts) {
    if (facts.name == name) return &facts;
  }
  return nullptr;
}

double StepOf(const LayerFacts& facts) {
  return static_cast<double>(std::int64_t{1} << facts.grey->shift) * facts.scale;
}

double OffsetOf(const LayerFacts& facts) {
  return static_cast<double>(facts.grey->offset) * facts.scale;
}

}  // namespace thalweg::raster
