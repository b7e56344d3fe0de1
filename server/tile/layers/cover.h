// What covers the ground, from its form, its water and the world's climate. The arithmetic is
// rounded alike on every machine: + - * / and sqrt of floats, which the build never contracts, and
// functions of the kernels.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "proto/wire/tile_key.h"
#include "server/tile/layers/row_noise.h"
#include "server/world/world.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::tile {

inline constexpr int kCoverClasses = v1::Cover_ARRAYSIZE;

// For each class the parts of the surroundings of a row's vertices that it covers. The sum at a
// vertex is 1.
using CoverShares = std::array<std::vector<float>, kCoverClasses>;

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
  // The depth of loose ground. It counts at levels that say where rock is bare.
  float loose_m = 0;
};

// The cover of one world at one level. It has room for the values of a row, so each thread needs
// its own.
class CoverPainter {
 public:
  CoverPainter(const world::World& world, int level);

  // The cover at some places, which are in the units of the level's noise. The cover of a vertex
  // does not depend on the others, but is made fastest for vertices of a row in their order. It is
  // valid until the next call.
  const CoverShares& Paint(std::span<const kernels::Place> places,
                           std::span<const CoverSite> sites);

  // Whether water of this depth covers a vertex wholly, whatever else its site is.
  bool Drowns(float depth_m) const;
  // Rivers that drain less than this are not drawn.
  float min_river_m2() const { return min_river_m2_; }
  // The part of a vertex's cell that is covered by a river `beside_m` metres away that drains
  // `area_m2`.
  float RiverShare(float area_m2, float beside_m) const;

 private:
  // What the cover depends on besides a vertex's site. All are factors, and none is a condition, so
  // that the loop over vertices has no branches.
  struct Land {
    float cell_m;
    // The height of the sea, or of the ground of dry basins.
    float base_level_m;
    // 1 if the world has a sea, or dry basins; else 0.
    float sea;
    float basins;
    // 1 if cells are so small that hummocks have slopes.
    float near;
    // 1 if the level says where rock is bare; 0 if slopes tell.
    float shows_rock;
    float temperature_c;
    float lapse_c;
    float rain_mm;
    // How the climate changes with the latitude; 0 on a plane.
    float latitude_c;
    float latitude_rain;
  };
  // What noise adds at a place. warmth: in degrees; moisture: in parts of the moisture.
  struct Chance {
    float warmth;
    float moisture;
  };
  // A noise of one wavelength, and what it adds.
  struct Patches {
    std::variant<PlaneNoise, SpaceNoise<1>> noise;
    float moisture;
    float warmth_per_moisture;
  };
  // Regions of one size, and how much warmer and moister they are.
  struct Regions {
    SpaceNoise<2> noise;
    float warmth;
    float moisture;
  };
  static std::array<float, kCoverClasses> SharesAt(const Land& land, const CoverSite& site,
                                                   const Chance& chance);
  // Fills chances_.
  void MakeChances(std::span<const kernels::Place> places);

  Land land_;
  // The width of a river in metres is this times the root of the area that it drains.
  float width_;
  float min_river_m2_;
  // Those that are not too small for the level's cells.
  std::vector<Patches> patches_;
  // The regions of a planet's climate, the largest first.
  std::vector<Regions> regions_;
  std::vector<Chance> chances_;
  CoverShares shares_;
};

// The steps of weights, in 1/255: in tiles with exact values, and in tiles that are made for
// drawing.
inline constexpr int kExactStep = 1;
inline constexpr int kLatticeStep = 17;

// Packs the three largest classes of each vertex as LAYER_COVER does; of equal ones the first goes
// first. The weights of the second and third are multiples of the step.
void PackCover(const CoverShares& shares, int step, std::span<std::int32_t> packed);

}  // namespace thalweg::tile
