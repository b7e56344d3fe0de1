#include "proto/wire/tile_key.h"

#include <utility>

#include "proto/wire/invalid.h"

namespace thalweg::wire {
namespace {

constexpr int kSphereFaces = 6;
constexpr absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;

absl::Status CheckFace(int face, Shape shape) {
  if (shape == Shape::kPlane) {
    if (face == 0) return absl::OkStatus();
    return Invalid("tile face", "0, since the world is a plane", face, kOutOfRange);
  }
  if (face >= 0 && face < kSphereFaces) return absl::OkStatus();
  return Invalid("tile face", absl::StrCat("0 to ", kSphereFaces - 1), face, kOutOfRange);
}

}  // namespace

absl::Status CheckTileKey(const TileKey& key, Shape shape, int levels) {
  if (absl::Status status = CheckFace(key.face, shape); !status.ok()) return status;
  if (key.level < 0 || key.level >= levels) {
    return Invalid("tile level", absl::StrCat("0 to ", levels - 1), key.level, kOutOfRange);
  }
  constexpr std::int64_t kPlaneEnd = kMaxVertex / kTileCells;
  const bool plane = shape == Shape::kPlane;
  const std::int64_t begin = plane ? -kPlaneEnd : 0;
  const std::int64_t end = plane ? kPlaneEnd : std::int64_t{1} << key.level;
  for (const auto& [name, coordinate] : {std::pair("tile x", key.x), std::pair("tile y", key.y)}) {
    if (coordinate >= begin && coordinate < end) continue;
    return Invalid(name, absl::StrCat(begin, " to ", end - 1, " at level ", key.level), coordinate,
                   kOutOfRange);
  }
  return absl::OkStatus();
}

Shape WidestShapeOf(const TileKey& key) { return key.face == 0 ? Shape::kPlane : Shape::kSphere; }

}  // namespace thalweg::wire
