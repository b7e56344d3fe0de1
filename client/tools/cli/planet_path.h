// A path over a planet, from orbit to the ground.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/geometry/vector.h"
#include "thalweg/sample.h"

namespace thalweg::cli {

// Where a path is at a time.
struct PathPoint {
  double seconds = 0;
  LatLong place = {};
  // Above the ground.
  double height_m = 0;
};

struct PathPosition {
  // The direction from the planet's middle, of length 1.
  sphere::Vector up;
  // Above the ground.
  double height_m = 0;
};

// Whether two places are on opposite sides of a planet. Then no way between them is the shortest.
bool AreOpposite(const LatLong& a, const LatLong& b);

// Leads through points, on great circles from each to the next. In equal times the height changes
// by equal factors; heights below 0.1 m count as 0.1 m. Immutable; threads may share it.
class PlanetPath {
 public:
  // The points must be two or more, with ascending times, and none opposite to the next.
  explicit PlanetPath(const std::vector<PathPoint>& points);

  // The time of the last point.
  double seconds() const { return knots_.back().seconds; }
  // Returns the position at a time; before and after the path, its first and its last one.
  PathPosition At(double seconds) const;

 private:
  struct Knot {
    double seconds = 0;
    sphere::Vector up;
    double log_height = 0;
  };

  std::vector<Knot> knots_;
};

// Files of paths over planets: CSV with a point in each line, seconds,latitude,longitude,height_m.
// Parses a file's text. Empty lines and lines that begin with # are skipped. INVALID_ARGUMENT,
// naming the file and the line, for what is not a path.
absl::StatusOr<PlanetPath> ParsePath(const std::string& text, const std::string& file);

// Reads a file, or the standard input for "-". The system's error if it can't be read.
absl::StatusOr<PlanetPath> ReadPath(const std::string& file);

}  // namespace thalweg::cli
