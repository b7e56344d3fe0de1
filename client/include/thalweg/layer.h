// SPDX-License-Identifier: Apache-2.0

// The layers of a tile and their units.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "thalweg/export.h"

namespace thalweg {

// A tile has a value of a layer at each vertex. The numbers are those of the contract and never
// change; proto/thalweg/v1/tile.proto describes each layer, and which worlds have it.
enum class Layer : std::uint8_t {
  // Height of the ground above the world's datum, in 1/65,536 m (Q16.16).
  kHeight = 1,
  // Mean discharge of water; 256 is the rain on one cell.
  kFlow = 2,
  // Thickness of the sediment that stayed in the water, in 1/65,536 m.
  kWashLoad = 3,
  // Height that the rebound of the crust added at this level, in 1/65,536 m.
  kUplift = 4,
  // Thickness of soft ground, part of the height, in 1/65,536 m.
  kSediment = 5,
  // Height of the surface of lakes and sea, in 1/65,536 m; on dry ground the ground's height.
  kWaterLevel = 6,
  // Depth of standing water, in 1/65,536 m; 0 where it is dry.
  kWaterDepth = 7,
  // Density of plants, in 1/65,536: 0 to 65,536.
  kVegetation = 8,
  // How much lower, and how much higher, the level's erosion left the ground, in 1/65,536 m.
  kWear = 9,
  kDeposit = 10,
  // Distance to the shore in 1/256 of a cell, -65,535 to 65,535; negative under water.
  kShoreDistance = 11,
  // Direction to the shore, in 1/65,536 of a turn clockwise from east; 0 where no shore was found.
  kShoreDirection = 12,
  // The unit normal of the ground, packed; see UnpackNormal.
  kNormal = 13,
  // Slope: rise over run, in 1/65,536.
  kSlope = 14,
  // What lies on the ground: three classes and their weights, packed; see UnpackCover.
  kCover = 15,
};

// What lies on the ground. The numbers are those of the contract.
enum class Cover : std::uint8_t {
  kWater = 0,
  kRiver = 1,
  kBeach = 2,
  kSand = 3,
  kRock = 4,
  kScree = 5,
  kSoil = 6,
  kGrass = 7,
  kShrub = 8,
  kForest = 9,
  kWetland = 10,
  kSnow = 11,
  kSalt = 12,
};
// How many covers there are.
inline constexpr int kCovers = 13;

// Returns the cover's name: "water", "river", ...
THALWEG_API std::string CoverName(Cover cover);

// What a layer is, and in which unit.
struct LayerDescription {
  Layer layer;
  // Its short name: "water-depth".
  std::string_view name;
  // The unit of a value times `scale`: "m", "cells", "deg"; empty for a number without a unit.
  std::string_view unit;
  double scale;
  // A short description.
  std::string_view text;
};

// Returns all layers that this library knows, in the order of their numbers.
THALWEG_API std::span<const LayerDescription> AllLayers();

// Whether this library knows the layer with this number of the contract.
THALWEG_API bool IsLayer(int number);

// Returns the layer's description. Aborts for a value that is not in the enumeration.
THALWEG_API const LayerDescription& DescriptionOf(Layer layer);

// Returns the layer's short name. Aborts for a value that is not in the enumeration.
THALWEG_API std::string_view LayerName(Layer layer);

// Returns the layer with a short name; nothing for an unknown name.
THALWEG_API std::optional<Layer> LayerFromName(std::string_view name);

// A unit vector.
struct Normal {
  float east = 0;
  float south = 0;
  float up = 1;
};

// Unpacks a value of Layer::kNormal.
inline Normal UnpackNormal(std::int32_t packed) {
  constexpr float kUnit = 1.0F / 32767;
  const auto bits = static_cast<std::uint32_t>(packed);
  const auto component = [](std::uint32_t half) {
    return std::max(static_cast<float>(static_cast<std::int16_t>(half)) * kUnit, -1.0F);
  };
  const float east = component(bits & 0xFFFFU);
  const float south = component(bits >> 16);
  return {east, south, std::sqrt(std::max(1 - east * east - south * south, 0.0F))};
}

// A cover and its share of the ground, in 1/255.
struct CoverPart {
  Cover cover = Cover::kWater;
  int weight = 0;
};

// Unpacks a value of Layer::kCover: the largest part first. The sum of the weights is 255.
inline std::array<CoverPart, 3> UnpackCover(std::int32_t packed) {
  const auto bits = static_cast<std::uint32_t>(packed);
  const auto cover = [bits](int shift) { return static_cast<Cover>(bits >> shift & 15U); };
  const int second = static_cast<int>(bits >> 12 & 255U);
  const int third = static_cast<int>(bits >> 20 & 255U);
  return {{{cover(0), 255 - second - third}, {cover(4), second}, {cover(8), third}}};
}

// How values are rounded before they are sent. The numbers are those of the contract.
enum class Precision : std::uint8_t {
  // Heights of ground and water are rounded to about 1/64 of the level's cell; slopes, normals and
  // covers to lattices of their own. A whole level has the same lattice. Other layers are exact.
  kLattice = 1,
  // Not rounded: the bits that were computed.
  kExact = 2,
};

// How urgent a computation is; the server computes lower numbers first. The numbers are those of
// the contract.
enum class Priority : std::uint8_t {
  kInteractive = 1,
  kPrefetch = 2,
  kBake = 3,
};

}  // namespace thalweg
