#include "server/world/planet.h"

#include "proto/text/field_message.h"
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
    return wire::Invalid(text::FieldPath("showplace", name),
                         "none, since the world is a plane (use east_m and south_m)",
                         text::Decimal(value));
  }
  return absl::OkStatus();
}

// Rivers of planets end where `ground` begins.
absl::Status CheckGround(const v1::WorldSpec& spec) {
  for (int i = 0; i < spec.rules_size(); ++i) {
    for (int k = 0; k < spec.rules(i).stages_size(); ++k) {
      if (!spec.rules(i).stages(k).ground().has_rivers()) continue;
      return wire::Invalid(
          text::FieldPath(
              text::FieldPath(
                  text::ItemPath(text::FieldPath(text::ItemPath("rules", i), "stages"), k),
                  "ground"),
              "rivers"),
          "none, since rivers run over ground only on planes", "one");
    }
  }
  return absl::OkStatus();
}

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
    return wire::Invalid("cell_size_m", "none, since it follows from sphere.radius_m",
                         text::Decimal(spec.cell_size_m()));
  }
  spec.set_cell_size_m(cell_m);
  return absl::OkStatus();
}

absl::Status CheckPlanet(const v1::WorldSpec& spec) {
  if (!spec.has_sphere()) return CheckPlane(spec);
  if (spec.has_elevation()) {
    return wire::Invalid("elevation", "none, since rasters lie only on planes", "one");
  }
  if (spec.has_georeference()) {
    return wire::Invalid("georeference",
                         "none, since a sphere has latitudes and longitudes of its own", "one");
  }
  const v1::Showplace& showplace = spec.showplace();
  if (showplace.east_m() != 0 || showplace.south_m() != 0) {
    return wire::Invalid("showplace", "latitude_deg and longitude_deg, since the world is a sphere",
                         "east_m and south_m");
  }
  return CheckGround(spec);
}

}  // namespace thalweg::world
