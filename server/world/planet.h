// Rules of a specification with a sphere, and values that follow from its radius.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "server/world/block_shape.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// A block's part on one face. x, y: the north-west corner of the core in the face's lattice; on
// another face, of the core's continuation. turns: by how many quarter turns (east to south) the
// block's own lattice is turned there.
struct Patch {
  int face = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
  int turns = 0;

  friend bool operator==(const Patch&, const Patch&) = default;
};

// The shape of a world's ground: an infinite plane, or a planet. Code that computes blocks asks it
// where faces and windows are. Immutable; lives as long as the program.
class FaceLayout {
 public:
  virtual ~FaceLayout() = default;

  // log2 of the cells in a row of a level's face; 0 if the face has no edges.
  virtual int FaceBits(int level) const = 0;

  // The cells in a row of a level's blocks: `wanted`, or fewer.
  virtual int BlockCells(int level, int wanted) const = 0;

  // Whether one block, that of face 0, has all faces of a level. Nothing lies beyond it, so it
  // needs no halo.
  virtual bool IsOneBlock(int level) const = 0;

  // The parts of a block whose core has its north-west corner at this vertex: first its own, then
  // one for each face that its window reaches. Where one block has all faces, its parts are the
  // faces in their order. The window's margin must have fewer cells than the block.
  virtual std::vector<Patch> PatchesOf(int level, const BlockShape& shape, int face, std::int64_t x,
                                       std::int64_t y) const = 0;
};

// One infinite face.
const FaceLayout& PlaneLayout();

// Six faces, each with 256 x 256 cells at level 0 (proto/geometry/cube_sphere.h).
const FaceLayout& SphereLayout();

// Cells of level 0 in a row of a planet's face.
inline constexpr int kFaceCells = 256;

// The side of level 0's cells on a sphere of this radius, in metres.
double FaceCellSizeM(double radius_m);

// Sets the cell size of a specification with a sphere. INVALID_ARGUMENT if it has a different one.
absl::Status SettleCellSize(v1::WorldSpec& spec);

// Checks that a sphere's specification has no fields for planes, nor a plane's any for spheres. The
// specification must have passed Normalise.
absl::Status CheckPlanet(const v1::WorldSpec& spec);

}  // namespace thalweg::world
