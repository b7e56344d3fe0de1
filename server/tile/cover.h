// What lies on the ground, from its form, its water and the world's climate. Arithmetic that every
// machine rounds alike: + - * / and sqrt of floats, whose contraction the build forbids, and the
// kernels' own functions.
#pragma once

#include <array>
#include <cstdint>

#include "proto/wire/tile_key.h"
#include "server/world/world.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::tile {

inline constexpr int kCoverClasses = v1::Cover_ARRAYSIZE;

// How much of a vertex's surroundings each class covers; their sum is 1.
using CoverShares = std::array<float, kCoverClasses>;

// Packed as LAYER_COVER has it: the three largest classes, of two equal ones the first. Exact, or
// with the weights on the cover's lattice.
std::int32_t PackedCover(const CoverShares& shares);
std::int32_t RoundedPackedCover(const CoverShares& shares);

// A vertex, in metres.
struct CoverSite {
  float height_m = 0;
  // Rise over run, to the east and to the south.
  float east_slope = 0;
  float south_slope = 0;
  // How much the ground rises towards the equator: to the south, on a plane.
  float equator_slope = 0;
  // The sine of the latitude; 0 on a plane.
  float latitude_sine = 0;
  // The area that drains through it, in square metres.
  float area_m2 = 0;
  // Of standing water over it; 0 or less where it is dry.
  float depth_m = 0;
  // The part of its cell that a river covers, which may be a neighbour's.
  float river = 0;
};

// The cover of one world at one level.
class CoverPainter {
 public:
  CoverPainter(const world::World& world, int level);

  // At a place, in the units of the level's noise.
  CoverShares At(const kernels::Place& place, const CoverSite& site) const;

  // Rivers that drain less than this are not drawn.
  float min_river_m2() const { return min_river_m2_; }
  // The part of a vertex's cell that is covered by a river `beside_m` metres away that drains
  // `area_m2`.
  float RiverShare(float area_m2, float beside_m) const;

 private:
  // Noise of a wavelength, or none where cells are too large to show it.
  struct Patches {
    bool shown = false;
    kernels::Lattice lattice{};
    float amplitude = 0;
  };
  // Degrees, parts of the rain, and parts of the moisture.
  struct Chance {
    float warmth = 0;
    float moisture = 0;
  };
  Chance ChanceAt(const kernels::Place& place) const;

  kernels::uvec2 seed_;
  float cell_m_;
  bool is_planet_;
  bool has_sea_;
  bool has_basins_;
  // Of the sea, or of dry basins.
  float base_level_m_ = 0;
  float temperature_c_;
  float lapse_c_;
  float latitude_c_;
  float rain_mm_;
  // Metres of a river's width for the root of each square metre that it drains.
  float width_;
  float min_river_m2_;
  std::array<Patches, 6> patches_;
  // Of a planet's climate.
  kernels::Lattice regions_{};
};

}  // namespace thalweg::tile
