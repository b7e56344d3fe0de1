#include "proto/wire/tile_key.h"

#include "absl/strings/str_cat.h"

namespace thalweg::wire {
namespace {

constexpr int kSphereFaces = 6;

absl::Status CheckFace(int face, Shape shape) {
  if (shape == Shape::kPlane) {
    if (face == 0) return absl::OkStatus();
    return absl::OutOfRangeError(absl::StrCat("tile face ", face, ": a plane has face 0 alone"));
  }
  if (face >= 0 && face < kSphereFaces) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrCat("tile face ", face, ": a sphere has faces 0 to ", kSphereFaces - 1));
}

}  // namespace

absl::Status CheckTileKey(const TileKey& key, Shape shape, int levels) {
  if (absl::Status status = CheckFace(key.face, shape); !status.ok()) return status;
  if (key.level < 0 || key.level >= levels) {
    return absl::OutOfRangeError(
        absl::StrCat("tile level ", key.level, ": the world has levels 0 to ", levels - 1));
  }
  constexpr std::int64_t kPlaneEnd = kMaxVertex / kTileCells;
  const bool plane = shape == Shape::kPlane;
  const std::int64_t begin = plane ? -kPlaneEnd : 0;
  const std::int64_t end = plane ? kPlaneEnd : std::int64_t{1} << key.level;
  for (const std::int64_t coordinate : {key.x, key.y}) {
    if (coordinate >= begin && coordinate < end) continue;
    return absl::OutOfRangeError(absl::StrCat("tile coordinate ", coordinate, ": ",
                                              plane ? "tiles" : "tiles of the level",
                                              " reach from ", begin, " to ", end - 1));
  }
  return absl::OkStatus();
}

Shape WidestShapeOf(const TileKey& key) { return key.face == 0 ? Shape::kPlane : Shape::kSphere; }

}  // namespace thalweg::wire
