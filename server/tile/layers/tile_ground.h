// Where a tile's vertices lie, and how steep the ground is there. On a planet cells differ in
// length, and their sides do not meet at right angles.
#pragma once

#include <cstdint>
#include <optional>

#include "proto/wire/tile_key.h"
#include "server/field/field.h"
#include "server/tile/layers/tile_layers.h"
#include "server/world/world.h"
#include "shaders/kernels/sphere.glsl"

namespace thalweg::tile {

// How much higher the eastern neighbour of a vertex is than the western one, and the southern one
// than the northern one, in height units.
struct Rise {
  double east = 0;
  double south = 0;
};

// The tangent of the steepness in 1/65,536; at most the largest int32. `run` is the length of two
// cells in height units, above 0. This arithmetic, and that of normals, is rounded alike on every
// machine: + - * / and sqrt of doubles, which the build never contracts.
std::int32_t SlopeOf(const Rise& rise, double run);

// The unit normal for the same `run`, packed as in LAYER_NORMAL: exact, or with components on the
// normals' lattice.
std::int32_t NormalOf(const Rise& rise, double run);
std::int32_t RoundedNormalOf(const Rise& rise, double run);

// The max magnitude of a distance, and the magnitude if no shore was found.
inline constexpr std::int32_t kFarthestShore = 65'535;

// The distance to the shore in 1/256 of a cell, negative for a vertex under water, from an offset
// as it is packed in Layer::kShore. The arithmetic is rounded alike on every machine.
std::int32_t ShoreDistance(std::int32_t packed, bool under_water);

// The direction to the shore in 1/65,536 of a turn, clockwise from east, from the same offset; 0 if
// no shore was found. It is rounded alike on every machine.
std::int32_t ShoreDirection(std::int32_t packed);

// Heights as they are shown: mapped by the world's height curve. A tile's values, with shown
// heights of ground and water. The deviation already is one of shown heights. Copies the values if
// the world has a curve: use it on a worker, not on the field's threads. The values must outlive
// this.
class ShownValues {
 public:
  // level: of the tile.
  ShownValues(const world::World& world, int level, const Sources& sources,
              const field::TileValues& values);

  const field::TileValues& get() const { return curved_ ? *curved_ : values_; }

 private:
  const field::TileValues& values_;
  std::optional<field::TileValues> curved_;
};

class TileGround {
 public:
  TileGround(const world::World& world, const wire::TileKey& key);

  // The place of a vertex of the tile, for noise.
  kernels::Place PlaceAt(int x, int y) const;
  // The sine of the latitude of a vertex's place; 0 on a plane.
  float LatitudeSine(const kernels::Place& place) const;
  // The area of a cell at the vertex, as a part of a cell of the level.
  float AreaAt(int x, int y) const;

  // The same rise over cells of the level's length, along two axes at a right angle: the axes of
  // the vertex's owner, turned to the tile's columns and rows.
  Rise AlongTile(const Rise& rise, int x, int y) const;
  // The same along the owner's axes. All tiles that share the vertex use the same axes, so they get
  // the same steepness to the last bit.
  Rise AlongOwner(const Rise& rise, int x, int y) const;

  // The rise along the owner's axes, and how much of it is towards the equator; on a plane towards
  // the south.
  struct Aspect {
    Rise along_owner;
    double towards_equator = 0;
  };
  Aspect AspectOf(const Rise& rise, float latitude_sine, int x, int y) const;

 private:
  // A vertex in the lattice of its owner's face (proto/geometry/cube_sphere.h), and the quarter
  // turns from the tile's face to that one.
  struct Spot {
    int face = 0;
    std::int64_t x = 0;
    std::int64_t y = 0;
    int turns = 0;
  };
  // Whether three faces meet at a vertex.
  bool IsCorner(int x, int y) const;
  Spot OwnerAt(int x, int y) const;
  // The frame for differences between the neighbours on both sides of the vertex.
  kernels::Frame FrameAt(const Spot& spot) const;
  // The rise along the owner's axes, of which `frame` is the frame.
  Rise AlongAxes(const Rise& rise, const Spot& owner, const kernels::Frame& frame, int x,
                 int y) const;
  // turned: a rise along the columns and rows of the face.
  static double TowardsEquator(const Rise& turned, float latitude_sine, int face,
                               const kernels::Frame& frame);

  wire::TileKey key_;
  int bits_;  // log2 of the cells on a face's side; 0: a plane
  // The planet's radius in the units of places.
  double radius_;
};

}  // namespace thalweg::tile
