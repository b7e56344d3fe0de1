#include "server/world/planet.h"

#include <algorithm>
#include <bit>

#include "proto/base/message_text.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/invalid.h"

namespace thalweg::world {
namespace {

constexpr double kHalfPi = 1.5707963267948966;
constexpr double kLargestPlaneCellM = 4096;

absl::Status CheckPlane(const v1::WorldSpec& spec) {
  if (spec.cell_size_m() > kLargestPlaneCellM) {
    return wire::Invalid("cell_size_m", "1 to 4096", text::Decimal(spec.cell_size_m()));
  }
  for (const char* const name : {"latitude_deg", "longitude_deg"}) {
    const auto* const field = v1::Showplace::descriptor()->FindFieldByName(name);
    const double value = v1::Showplace::GetReflection()->GetDouble(spec.showplace(), field);
    if (value == 0) continue;
    return wire::Excluded(
        absl::StrCat(text::FieldPath("showplace", name), " ", text::Decimal(value)),
        "the world is a plane (use east_m and south_m)");
  }
  return absl::OkStatus();
}

// Up to this level a block may be a whole face.
constexpr int kWholeFaces = 1;

class FlatPlane final : public FaceLayout {
 public:
  int FaceBits(int /*level*/) const override { return 0; }
  int BlockCells(int /*level*/, int wanted) const override { return wanted; }
  bool IsOneBlock(int /*level*/) const override { return false; }
  std::vector<Patch> PatchesOf(int /*level*/, const BlockShape& /*shape*/, int face, std::int64_t x,
                               std::int64_t y) const override {
    return {{face, x, y, 0}};
  }
};

class SixFaces final : public FaceLayout {
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

double FaceCellSizeM(double radius_m) { return radius_m * kHalfPi / kFaceCells; }

absl::Status SettleCellSize(v1::WorldSpec& spec) {
  // A missing radius, or one out of range, is refused later, with the other fields.
  const v1::Range& range = v1::Sphere::descriptor()
                               ->FindFieldByNumber(v1::Sphere::kRadiusMFieldNumber)
                               ->options()
                               .GetExtension(v1::range);
  const double radius_m = spec.sphere().radius_m();
  if (!(radius_m >= range.min() && radius_m <= range.max())) return absl::OkStatus();
  const double cell_m = FaceCellSizeM(radius_m);
  if (spec.has_cell_size_m() && spec.cell_size_m() != cell_m) {
    return wire::Excluded(absl::StrCat("cell_size_m ", text::Decimal(spec.cell_size_m())),
                          "it follows from sphere.radius_m");
  }
  spec.set_cell_size_m(cell_m);
  return absl::OkStatus();
}

absl::Status CheckPlanet(const v1::WorldSpec& spec) {
  if (!spec.has_sphere()) return CheckPlane(spec);
  if (spec.has_elevation()) {
    return wire::Excluded("elevation", "the world is a sphere, and rasters lie only on planes");
  }
  if (spec.has_georeference()) {
    return wire::Excluded("georeference",
                          "the world is a sphere, which has latitudes and longitudes of its own");
  }
  const v1::Showplace& showplace = spec.showplace();
  if (showplace.east_m() != 0 || showplace.south_m() != 0) {
    return absl::InvalidArgumentError(
        "showplace has east_m or south_m, but the world is a sphere (use latitude_deg and "
        "longitude_deg)");
  }
  return absl::OkStatus();
}

const FaceLayout& PlaneLayout() {
  static const FlatPlane surface;
  return surface;
}

const FaceLayout& SphereLayout() {
  static const SixFaces surface;
  return surface;
}

}  // namespace thalweg::world
