// What covers the ground, from its form, its water and the world's climate. The arithmetic is
// rounded alike on every machine: + - * / and sqrt of floats, which the build never contracts, and
// functions of the kernels.
#pragma once

#include <array>
#include <cstdint>

#include "proto/wire/tile_key.h"
#include "server/world/world.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::tile {

inline constexpr int kCoverClasses = v1::Cover_ARRAYSIZE;

// The parts of a vertex's surroundings that the classes cover; their sum is 1.
using CoverShares = std::array<float, kCoverClasses>;

// Packs the three largest classes as LAYER_COVER does; of equal ones the first goes first. Weights
// are exact, or rounded to the cover's lattice.
std::int32_t PackedCover(const CoverShares& shares);
std::int32_t RoundedPackedCover(const CoverShares& shares);

// What a vertex's cover depends on, in metres.
struct CoverSite {
  float height_m = 0;
  // Rise over run, to the east and to the south.
  float east_slope = 0;
  float south_slope = 0;
  // How much the ground rises towards the equator; on a plane towards the south.
  float equator_slope = 0;
  // The sine of the latitude; 0 on a plane.
  float latitude_sine = 0;
  // The area that drains through the vertex, in square metres.
  float area_m2 = 0;
  // The depth of standing water over the vertex; 0 or less where it is dry.
  float depth_m = 0;
  // The part of the vertex's cell that a river covers: its own or a neighbour's.
  float river = 0;
};

// The cover of one world at one level.
class CoverPainter {
 public:
  CoverPainter(const world::World& world, int level);

  // The cover at a place, which is in the units of the level's noise.
  CoverShares At(const kernels::Place& place, const CoverSite& site) const;

  // Rivers that drain less than this are not drawn.
  float min_river_m2() const { return min_river_m2_; }
  // The part of a vertex's cell that is covered by a river `beside_m` metres away that drains
  // `area_m2`.
  float RiverShare(float area_m2, float beside_m) const;

 private:
  // A noise of one wavelength; not shown if cells are too large for it.
  struct Patches {
    bool shown = false;
    kernels::Lattice lattice{};
    float amplitude = 0;
  };
  // warmth: in degrees; moisture: in parts of the moisture.
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
  // The height of the sea, or of the ground of dry basins.
  float base_level_m_ = 0;
  float temperature_c_;
  float lapse_c_;
  float latitude_c_;
  float rain_mm_;
  // The width of a river in metres is this times the root of the area that it drains.
  float width_;
  float min_river_m2_;
  std::array<Patches, 6> patches_;
  // The regions of a planet's climate.
  kernels::Lattice regions_{};
};

}  // namespace thalweg::tile
