#include "client/tools/cli/planet_path.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "client/tools/cli/files.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

constexpr double kMinHeightM = 0.1;
// Angles in radians: a millionth of these is less than a metre on a planet.
constexpr double kNearlyOpposite = 1e-9;
constexpr double kSamePlace = 1e-12;

sphere::Vector UpOver(const LatLong& place) {
  return sphere::PointOf(sphere::LatLong{place.latitude, place.longitude});
}

// Returns the point after a share of the great circle between two points of the unit sphere (slerp:
// Shoemake, Animating rotation with quaternion curves, 1985).
sphere::Vector OnGreatCircle(const sphere::Vector& from, const sphere::Vector& to, double share) {
  const sphere::Vector axis = sphere::Cross(from, to);
  const double sin = sphere::Length(axis);
  if (sin < kSamePlace) return from;
  const double angle = share * std::atan2(sin, sphere::Dot(from, to));
  return std::cos(angle) * from + std::sin(angle) / sin * sphere::Cross(axis, from);
}

constexpr std::size_t kMaxPathBytes = std::size_t{16} << 20;
// Errors quote no more than this of a field.
constexpr std::size_t kMaxQuoted = 40;

struct PathColumn {
  const char* name;
  double min;
  double max;
};
constexpr std::array<PathColumn, 4> kPathColumns = {{{"seconds", 0, 86'400},
                                                     {"latitude", -90, 90},
                                                     {"longitude", -180, 180},
                                                     {"height_m", 0, 1e9}}};

absl::StatusOr<PathPoint> ParsePoint(absl::string_view line) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, ',');
  if (fields.size() != kPathColumns.size()) {
    return wire::Invalid("line", "4 numbers with commas between", fields.size());
  }
  std::array<double, kPathColumns.size()> numbers{};
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const auto& [name, min, max] = kPathColumns[n];
    // Written so that NaN fails too.
    if (absl::SimpleAtod(fields[n], &numbers[n]) && numbers[n] >= min && numbers[n] <= max)
      continue;
    return wire::Invalid(
        name, absl::StrCat(min, " to ", max),
        absl::CEscape(absl::StripAsciiWhitespace(fields[n]).substr(0, kMaxQuoted)));
  }
  return PathPoint{numbers[0], {numbers[1], numbers[2]}, numbers[3]};
}

// Checks that a point can follow the last one.
absl::Status CheckNext(const std::vector<PathPoint>& points, const PathPoint& next) {
  if (points.empty()) {
    if (next.seconds == 0) return absl::OkStatus();
    return wire::Invalid("seconds", "0 for the first point", next.seconds);
  }
  const PathPoint& last = points.back();
  if (next.seconds <= last.seconds) {
    return wire::Invalid("seconds", absl::StrCat("more than ", last.seconds), next.seconds);
  }
  if (!AreOpposite(last.place, next.place)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the position is opposite the last one on the planet: add a point between them");
}

absl::Status AddPoint(absl::string_view line, std::vector<PathPoint>& points) {
  THALWEG_ASSIGN_OR_RETURN(const PathPoint point, ParsePoint(line));
  THALWEG_RETURN_IF_ERROR(CheckNext(points, point));
  points.push_back(point);
  return absl::OkStatus();
}

// Puts where an error was found before its message.
absl::Status FoundIn(absl::string_view where, const absl::Status& error) {
  return {error.code(), absl::StrCat(where, ": ", error.message())};
}

}  // namespace

bool AreOpposite(const LatLong& a, const LatLong& b) {
  return sphere::Length(UpOver(a) + UpOver(b)) < kNearlyOpposite;
}

PlanetPath::PlanetPath(const std::vector<PathPoint>& points) {
  knots_.reserve(points.size());
  for (const PathPoint& point : points) {
    knots_.push_back({.seconds = point.seconds,
                      .up = UpOver(point.place),
                      .log_height = std::log(std::max(point.height_m, kMinHeightM))});
  }
}

PathPosition PlanetPath::At(double seconds) const {
  const auto after = std::ranges::upper_bound(knots_, seconds, {}, &Knot::seconds);
  if (after == knots_.begin() || after == knots_.end()) {
    const Knot& end = after == knots_.begin() ? knots_.front() : knots_.back();
    return {end.up, std::exp(end.log_height)};
  }
  const Knot& from = *(after - 1);
  const double share = (seconds - from.seconds) / (after->seconds - from.seconds);
  return {OnGreatCircle(from.up, after->up, share),
          std::exp(std::lerp(from.log_height, after->log_height, share))};
}

absl::StatusOr<PlanetPath> ParsePath(const std::string& text, const std::string& file) {
  std::vector<PathPoint> points;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line.front() == '#') continue;
    const absl::Status added = AddPoint(line, points);
    if (!added.ok()) return FoundIn(absl::StrCat(file, ":", number), added);
  }
  if (points.size() < 2) {
    return FoundIn(file, wire::Invalid("path", "2 or more points", points.size()));
  }
  return PlanetPath(points);
}

absl::StatusOr<PlanetPath> ReadPath(const std::string& file) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, ReadInputFile(file, kMaxPathBytes));
  return ParsePath(text, file);
}

}  // namespace thalweg::cli
