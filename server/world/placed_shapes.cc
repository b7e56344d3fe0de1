#include "server/world/placed_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/geometry/vector.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/stages/host_math.h"
#include "server/world/shape_map.h"
#include "shaders/kernels/sphere.glsl"

namespace thalweg::world {
namespace {

using kernels::BaseInstruction;

constexpr double kPi = 3.141592653589793;
// Places are counted in 1/256 of a cell.
constexpr double kPlacesPerCell = 256;
// A shape with its profile lies within this many units of its middle: half of a ruler.
constexpr double kReach = kernels::kRulerEnd / 2;
constexpr double kFarthestM = 1e8;
// Points of a sphere's shape are within this angle of its middle.
constexpr double kWidestDeg = 60;
// Lines between points that are nearer to each other have no direction.
constexpr double kLeastApartM = 1e-3;
constexpr double kLeastProfileStep = 1e-4;

double RadiusM(const NoiseGrid& grid) {
  return std::ldexp(kernels::kSphereRadius * grid.cell_size_m / kPlacesPerCell, grid.level);
}

// What the kinds of placed nodes have in common.
struct Placed {
  std::string kind;
  // The field of the points, and whether there are several.
  std::string points_field;
  Positions points;
  bool is_line = false;
  bool is_closed = false;
  std::string unit_field;
  double unit_m = 1;
  const google::protobuf::RepeatedPtrField<v1::Point>* profile = nullptr;
  bool smooth = false;
  // What an absent profile is: values at 0 and at 1.
  double at_shape = 0;
  double at_unit = 1;
  bool smooth_if_absent = true;
};

template <typename Shape>
Placed PlacedOf(const Shape& shape, double unit_m) {
  Placed placed;
  placed.unit_m = unit_m;
  placed.profile = &shape.profile();
  placed.smooth = shape.smooth();
  return placed;
}

std::optional<Placed> PlacedOf(const v1::Node& node) {
  Placed placed;
  switch (node.kind_case()) {
    case v1::Node::kRadial:
      placed = PlacedOf(node.radial(), node.radial().radius_m());
      placed.kind = "radial";
      placed.unit_field = "radius_m";
      placed.points_field = "center";
      *placed.points.Add() = node.radial().center();
      std::swap(placed.at_shape, placed.at_unit);
      return placed;
    case v1::Node::kAlong:
      placed = PlacedOf(node.along(), node.along().width_m());
      placed.kind = "along";
      placed.unit_field = "width_m";
      placed.points_field = "points";
      placed.points = node.along().points();
      placed.is_line = true;
      std::swap(placed.at_shape, placed.at_unit);
      return placed;
    case v1::Node::kInside:
      placed = PlacedOf(node.inside(), node.inside().edge_m());
      placed.kind = "inside";
      placed.unit_field = "edge_m";
      placed.points_field = "points";
      placed.points = node.inside().points();
      placed.is_line = true;
      placed.is_closed = true;
      return placed;
    case v1::Node::kGradient:
      placed = PlacedOf(node.gradient(), node.gradient().length_m());
      placed.kind = "gradient";
      placed.unit_field = "length_m";
      placed.points_field = "from";
      *placed.points.Add() = node.gradient().from();
      placed.smooth_if_absent = false;
      return placed;
    default:
      return std::nullopt;
  }
}

std::vector<v1::Point> PointsOf(const Placed& placed) {
  if (!placed.profile->empty()) return {placed.profile->begin(), placed.profile->end()};
  std::vector<v1::Point> points(2);
  points[0].set_out(placed.at_shape);
  points[1].set_in(1);
  points[1].set_out(placed.at_unit);
  return points;
}

ShapeMap MapOf(const Placed& placed, std::optional<double> radius_m) {
  return radius_m ? ShapeMap::OnSphere(placed.points, placed.is_closed, *radius_m)
                  : ShapeMap::OnPlane(placed.points, placed.is_closed);
}

std::string PointPath(const std::string& path, const Placed& placed, int i) {
  const std::string field = text::FieldPath(path, placed.points_field);
  return placed.is_line ? text::ItemPath(field, i) : field;
}

// Positions have defaults, so a number that is not 0 was written.
absl::Status CheckKind(const std::string& path, const v1::Position& position, bool on_sphere) {
  const bool is_flat = position.east_m() != 0 || position.south_m() != 0;
  const bool is_round = position.latitude_deg() != 0 || position.longitude_deg() != 0;
  if (on_sphere ? !is_flat : !is_round) return absl::OkStatus();
  return on_sphere ? wire::Excluded(absl::StrCat("east_m or south_m of ", path),
                                    "the world is a sphere (use latitude_deg and longitude_deg)")
                   : wire::Excluded(absl::StrCat("latitude_deg or longitude_deg of ", path),
                                    "the world is a plane (use east_m and south_m)");
}

// On which side of the line between two others a corner lies: 1 or -1; 0 on the line.
int SideOf(const Corner& first, const Corner& last, const Corner& corner) {
  const double turn = (last.east - first.east) * (corner.south - first.south) -
                      (last.south - first.south) * (corner.east - first.east);
  return turn > 0 ? 1 : (turn < 0 ? -1 : 0);
}

bool Between(double a, double b, double value) {
  return std::min(a, b) <= value && value <= std::max(a, b);
}

// Whether a line touches another one.
bool Touches(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  const int at_c = SideOf(a, b, c);
  const int at_d = SideOf(a, b, d);
  const int at_a = SideOf(c, d, a);
  const int at_b = SideOf(c, d, b);
  if (at_c * at_d < 0 && at_a * at_b < 0) return true;
  const auto on = [](int side, const Corner& first, const Corner& last, const Corner& corner) {
    return side == 0 && Between(first.east, last.east, corner.east) &&
           Between(first.south, last.south, corner.south);
  };
  return on(at_c, a, b, c) || on(at_d, a, b, d) || on(at_a, c, d, a) || on(at_b, c, d, b);
}

absl::Status CheckApart(const std::string& path, const Placed& placed, double radius_m) {
  const int points = placed.points.size();
  for (int i = 1; i < points + (placed.is_closed ? 1 : 0); ++i) {
    const v1::Position& from = placed.points[i - 1];
    const v1::Position& to = placed.points[i % points];
    const double apart_m =
        radius_m > 0 ? radius_m * sphere::Length(UnitVector(to) - UnitVector(from))
                     : ApartM({to.east_m(), to.south_m()}, {from.east_m(), from.south_m()});
    if (apart_m >= kLeastApartM) continue;
    return wire::Invalid(PointPath(path, placed, i % points),
                         absl::StrCat("a place other than that of the point before it",
                                      i == points ? ", the last one" : ""),
                         "the same place");
  }
  return absl::OkStatus();
}

absl::Status CheckWidth(const std::string& path, const Placed& placed) {
  const ShapeMap map = MapOf(placed, 1.0);
  const double widest = 2 * stages::HeadingOf(kWidestDeg / 2).east;
  for (int i = 0; i < placed.points.size(); ++i) {
    const double from_middle = sphere::Length(UnitVector(placed.points[i]) - map.middle);
    if (from_middle <= widest) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(PointPath(path, placed, i), " is more than ", kWidestDeg,
                     " degrees from the middle of all points: use several nodes that are smaller"));
  }
  return absl::OkStatus();
}

absl::Status CheckOutline(const std::string& path, const Placed& placed,
                          std::optional<double> radius_m) {
  // On a sphere straight lines between points are near enough to great circles.
  ShapeMap map;
  if (radius_m) {
    const sphere::Vector middle = MapOf(placed, radius_m).middle;
    for (const v1::Position& point : placed.points) {
      map.corners.push_back(OnMap(UnitVector(point), middle, *radius_m));
    }
    map.corners.push_back(map.corners.front());
  } else {
    map = MapOf(placed, radius_m);
  }
  const int edges = placed.points.size();
  const auto corner = [&](int i) { return map.corners[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < edges; ++i) {
    // Neighbouring edges share a corner.
    for (int other = i + 2; other < edges - (i == 0 ? 1 : 0); ++other) {
      if (!Touches(corner(i), corner(i + 1), corner(other), corner(other + 1))) continue;
      return absl::InvalidArgumentError(absl::StrCat(text::FieldPath(path, "points"),
                                                     ": the edges from points[", i, "] and points[",
                                                     other, "] cross or touch each other"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckProfile(const std::string& path, const Placed& placed,
                          std::optional<double> radius_m) {
  const auto point_path = [&](int i) {
    return text::FieldPath(text::ItemPath(text::FieldPath(path, "profile"), i), "in");
  };
  const auto& points = *placed.profile;
  if (points.size() == 1) {
    return wire::Invalid(text::FieldPath(path, "profile"), "no points or 2 to 16", "1");
  }
  // Near the other side of a sphere straight distances hardly grow.
  const double farthest_m = radius_m ? std::min(kFarthestM, 0.9 * kPi * *radius_m) : kFarthestM;
  for (int i = 0; i < points.size(); ++i) {
    const double in = points[i].in();
    const bool may_be_negative = placed.kind == "inside" || placed.kind == "gradient";
    if (in < 0 && !may_be_negative) {
      return wire::Invalid(point_path(i), "0 or more, a distance", text::Decimal(in));
    }
    if (std::abs(in) * placed.unit_m > farthest_m) {
      return wire::Invalid(
          point_path(i),
          absl::StrCat("max ", text::Decimal(std::floor(farthest_m / placed.unit_m)), ", since ",
                       placed.unit_field, " is ", text::Decimal(placed.unit_m),
                       " and distances are max ", text::Decimal(std::floor(farthest_m)), " m"),
          text::Decimal(in));
    }
    if (i == 0 || in >= points[i - 1].in() + kLeastProfileStep) continue;
    return wire::Invalid(point_path(i),
                         absl::StrCat("min ", text::Decimal(points[i - 1].in() + kLeastProfileStep),
                                      ", since points must rise"),
                         text::Decimal(in));
  }
  return absl::OkStatus();
}

// Measures along an axis (0 to 2) of the world from a coordinate in places, in units of 2^shift.
BaseInstruction AlongAxis(int axis, double places, int shift) {
  constexpr int kWhole = 1 << kernels::kRulerBits;
  return kernels::rulerInstruction(axis,
                                   {.x = axis == 1 ? 0 : kWhole,
                                    .y = axis == 1 ? kWhole : 0,
                                    .shift = shift,
                                    .origin = static_cast<std::int64_t>(std::floor(places + 0.5))});
}

// The shift with which this many places are at most kReach units.
int ShiftFor(double places) {
  int shift = 0;
  while (std::ldexp(places, -shift) > kReach) ++shift;
  return shift;
}

BaseInstruction Instruction(int op, double a, double b, double c = 0) {
  return kernels::baseInstruction(op, stages::KernelFloat(a), stages::KernelFloat(b),
                                  stages::KernelFloat(c));
}

// The instructions that measure a place from the middle of a map, in units of 2^shift places.
std::vector<BaseInstruction> FromMiddle(const sphere::Vector& middle, int shift,
                                        const NoiseGrid& grid) {
  if (!grid.in_space) {
    return {AlongAxis(0, middle.x / grid.cell_size_m * kPlacesPerCell, shift),
            AlongAxis(1, middle.y / grid.cell_size_m * kPlacesPerCell, shift)};
  }
  const double radius = std::ldexp(kernels::kSphereRadius, grid.level);
  const Turns turns = TurnsOf(middle);
  return {AlongAxis(0, middle.x * radius, shift), AlongAxis(1, middle.y * radius, shift),
          AlongAxis(2, middle.z * radius, shift),
          Instruction(kernels::kOpMap, turns.cosine, turns.sine, turns.tangent)};
}

// On a plane the ruler lies along the heading itself, so that it is true at any distance.
std::vector<BaseInstruction> Ahead(const v1::Gradient& gradient, const sphere::Vector& from,
                                   double reach_m, const NoiseGrid& grid) {
  const double places_per_m = kPlacesPerCell / grid.cell_size_m;
  const stages::Heading heading = stages::HeadingOf(gradient.heading_deg());
  if (grid.in_space) {
    // The ruler is as long as the planet.
    const int shift = ShiftFor(2 * std::ldexp(kernels::kSphereRadius, grid.level));
    std::vector<BaseInstruction> steps = FromMiddle(from, shift, grid);
    const double scale = std::ldexp(1 / places_per_m, shift) / gradient.length_m();
    steps.push_back(Instruction(kernels::kOpAhead, heading.east * scale, heading.south * scale));
    return steps;
  }
  const int shift = ShiftFor(reach_m * places_per_m);
  const double whole = std::ldexp(1.0, kernels::kRulerBits);
  kernels::Ruler ruler{.x = stages::RoundedInt(heading.east * whole),
                       .y = stages::RoundedInt(heading.south * whole),
                       .shift = shift,
                       .origin = 0};
  const double along = (from.x * ruler.x + from.y * ruler.y) / whole;
  ruler.origin = static_cast<std::int64_t>(std::floor(along * places_per_m + 0.5));
  // The direction is not quite as long as a unit.
  const double length =
      std::sqrt(static_cast<double>(ruler.x) * ruler.x + static_cast<double>(ruler.y) * ruler.y) /
      whole;
  const double scale = std::ldexp(1 / places_per_m, shift) / (length * gradient.length_m());
  return {kernels::rulerInstruction(0, ruler), Instruction(kernels::kOpAhead, scale, 0)};
}

// How far the profile goes from the shape, in metres.
double ReachM(const Placed& placed) {
  double farthest = 0;
  for (const v1::Point& point : PointsOf(placed)) {
    farthest = std::max(farthest, std::abs(point.in()));
  }
  return farthest * placed.unit_m;
}

}  // namespace

bool IsPlaced(const v1::Node& node) { return PlacedOf(node).has_value(); }

absl::Status CheckPlaced(const std::string& path, const v1::Node& node, const v1::WorldSpec& spec) {
  const Placed placed = *PlacedOf(node);
  const std::string here = text::FieldPath(path, placed.kind);
  std::optional<double> radius_m;
  if (spec.has_sphere()) radius_m = spec.sphere().radius_m();
  for (int i = 0; i < placed.points.size(); ++i) {
    THALWEG_RETURN_IF_ERROR(
        CheckKind(PointPath(here, placed, i), placed.points[i], spec.has_sphere()));
  }
  THALWEG_RETURN_IF_ERROR(CheckProfile(here, placed, radius_m));
  if (!placed.is_line) return absl::OkStatus();
  THALWEG_RETURN_IF_ERROR(CheckApart(here, placed, radius_m.value_or(0)));
  if (radius_m) THALWEG_RETURN_IF_ERROR(CheckWidth(here, placed));
  return placed.is_closed ? CheckOutline(here, placed, radius_m) : absl::OkStatus();
}

Profile ProfileOf(const v1::Node& node, const NoiseGrid& grid) {
  const Placed placed = *PlacedOf(node);
  Profile profile{.points = PointsOf(placed),
                  .smooth = placed.profile->empty() ? placed.smooth_if_absent : placed.smooth};
  if (!grid.in_space) return profile;
  for (v1::Point& point : profile.points) {
    point.set_in(Chord(point.in() * placed.unit_m, RadiusM(grid)) / placed.unit_m);
  }
  return profile;
}

std::vector<BaseInstruction> DistanceTo(const v1::Node& node, const NoiseGrid& grid) {
  const Placed placed = *PlacedOf(node);
  std::optional<double> radius_m;
  if (grid.in_space) radius_m = RadiusM(grid);
  const ShapeMap map = MapOf(placed, radius_m);
  double reach_m = ReachM(placed);
  if (node.has_gradient()) return Ahead(node.gradient(), map.middle, reach_m, grid);
  for (const Corner& corner : map.corners) {
    reach_m = std::max(reach_m, ReachM(placed) + ApartM(corner, {}));
  }
  const double places_per_m = kPlacesPerCell / grid.cell_size_m;
  const int shift = ShiftFor(reach_m * places_per_m);
  std::vector<BaseInstruction> steps = FromMiddle(map.middle, shift, grid);
  const double units_per_m = std::ldexp(places_per_m, -shift);
  int op = kernels::kOpCorner;
  for (const Corner& corner : map.corners) {
    steps.push_back(Instruction(op, corner.east * units_per_m, corner.south * units_per_m));
    op = kernels::kOpLine;
  }
  steps.push_back(Instruction(kernels::kOpNearest, 1 / (units_per_m * placed.unit_m),
                              placed.is_closed ? 1 : 0));
  return steps;
}

}  // namespace thalweg::world
