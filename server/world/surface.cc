#include "server/world/surface.h"

#include <algorithm>
#include <bit>

#include "proto/sphere/cube_faces.h"
#include "server/world/planet.h"

namespace thalweg::world {
namespace {

// Up to this level a block may be a whole face.
constexpr int kWholeFaces = 1;

class FlatPlane final : public Surface {
 public:
  int FaceBits(int /*level*/) const override { return 0; }
  int BlockCells(int /*level*/, int wanted) const override { return wanted; }
  bool IsOneBlock(int /*level*/) const override { return false; }
  std::vector<Patch> PatchesOf(int /*level*/, const BlockShape& /*shape*/, int face, std::int64_t x,
                               std::int64_t y) const override {
    return {{face, x, y, 0}};
  }
};

class SixFaces final : public Surface {
 public:
  int FaceBits(int level) const override {
    return std::countr_zero(static_cast<unsigned>(kFaceCells)) + level;
  }

  int BlockCells(int level, int wanted) const override {
    // A face has at least four blocks, so that only blocks of the first levels have more than three
    // windows.
    const std::int64_t max = level <= kWholeFaces ? FaceCells(level) : FaceCells(level) / 2;
    return static_cast<int>(std::min<std::int64_t>(wanted, max));
  }

  // As six blocks with halos, each of them would compute five faces.
  bool IsOneBlock(int level) const override { return level == 0; }

  std::vector<Patch> PatchesOf(int level, const BlockShape& shape, int face, std::int64_t x,
                               std::int64_t y) const override {
    if (IsOneBlock(level)) return WholePlanet();
    const std::int64_t cells = FaceCells(level);
    const std::int64_t margin = shape.Margin();
    const std::int64_t last_x = x + shape.block_cells;
    const std::int64_t last_y = y + shape.block_cells;
    std::vector<Patch> patches = {{face, x, y, 0}};
    const auto add = [&](sphere::Side side) {
      const sphere::Vertex first = sphere::Across({face, x, y}, side, cells);
      const sphere::Vertex last = sphere::Across({face, last_x, last_y}, side, cells);
      patches.push_back({first.face, std::min(first.x, last.x), std::min(first.y, last.y),
                         sphere::Beyond(face, side).turns});
    };
    // A vertex on an edge counts as beyond it, since another face may own it.
    if (last_x + margin >= cells) add(sphere::Side::kEast);
    if (last_y + margin >= cells) add(sphere::Side::kSouth);
    if (x - margin <= 0) add(sphere::Side::kWest);
    if (y - margin <= 0) add(sphere::Side::kNorth);
    return patches;
  }

 private:
  static std::vector<Patch> WholePlanet() {
    std::vector<Patch> faces;
    for (int face = 0; face < sphere::kFaces; ++face) faces.push_back({.face = face});
    return faces;
  }

  std::int64_t FaceCells(int level) const { return std::int64_t{1} << FaceBits(level); }
};

}  // namespace

const Surface& PlaneSurface() {
  static const FlatPlane surface;
  return surface;
}

const Surface& SphereSurface() {
  static const SixFaces surface;
  return surface;
}

}  // namespace thalweg::world
