// Where a tile's vertices lie, and how steep the ground is there. On a planet cells differ in
// length, and their sides do not meet at right angles.
#pragma once

#include <cstdint>

#include "proto/wire/tile_key.h"
#include "server/tile/gradient.h"
#include "server/world/world.h"
#include "shaders/kernels/sphere.glsl"

namespace thalweg::tile {

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
  // A vertex in the lattice of its owner's face (proto/sphere/cube_faces.h), and the quarter turns
  // from the tile's face to that one.
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
