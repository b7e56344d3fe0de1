// What the ground of a world is: an infinite plane, or a planet. Code that computes blocks asks it
// where faces and windows lie.
#pragma once

#include <cstdint>
#include <vector>

#include "server/world/block_shape.h"

namespace thalweg::world {

// A block's part on one face: the north-west corner of its core in the face's lattice (of the
// core's continuation, on another face), and by how many quarter turns (east to south) the block's
// own lattice is turned there.
struct Patch {
  int face = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
  int turns = 0;

  friend bool operator==(const Patch&, const Patch&) = default;
};

// Immutable; lives as long as the program.
class Surface {
 public:
  virtual ~Surface() = default;

  // log2 of the cells in a row of a level's face; 0: there are no edges.
  virtual int FaceBits(int level) const = 0;

  // The cells in a row of a level's blocks: `wanted`, or fewer.
  virtual int BlockCells(int level, int wanted) const = 0;

  // Whether all faces of a level are one block, that of face 0: nothing lies beyond it, and it
  // needs no halo.
  virtual bool IsOneBlock(int level) const = 0;

  // The parts of a block whose core has its north-west corner at this vertex: first its own, then
  // one for each face that its window reaches. Where all faces are one block, they are its parts,
  // in their order. A window must reach fewer cells beyond its core than the block has.
  virtual std::vector<Patch> PatchesOf(int level, const BlockShape& shape, int face, std::int64_t x,
                                       std::int64_t y) const = 0;
};

// One face without an end.
const Surface& PlaneSurface();

// Six faces with 256 x 256 cells of level 0 each (proto/sphere/cube_faces.h).
const Surface& SphereSurface();

}  // namespace thalweg::world
