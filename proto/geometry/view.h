// A camera over a world, and how large things look from it.
#pragma once

#include <array>

#include "absl/status/status.h"
#include "proto/geometry/vector.h"

namespace thalweg::lod {

// How far ground is drawn, unless a view says otherwise.
inline constexpr double kDefaultRangeM = 60'000;

// A camera over a world.
struct View {
  sphere::Vector position{};
  // In metres per second.
  sphere::Vector velocity{};
  // The direction of view, of any length above 0.
  sphere::Vector direction{.x = 0, .y = -1, .z = 0};
  // The angle between the picture's upper and lower edge, in degrees: 1 to 170.
  double vertical_fov_deg = 60;
  // The picture's width over its height: 0.1 to 10.
  double aspect = 16.0 / 9;
  // The picture's height in pixels: 1 to 65,536.
  int viewport_height_px = 1080;
  // The tolerated error of the drawn ground, in pixels: 0.1 to 1,000.
  double tolerated_error_px = 2;
  // Ground farther away than this (horizontally) is not drawn, in metres. A planet is drawn whole:
  // ground farther away has the coarsest level.
  double range_m = kDefaultRangeM;
};

// INVALID_ARGUMENT, naming the field and its range, for a number that is not in its range.
absl::Status CheckView(const View& view);

// Returns how many pixels a length of 1 m has at a distance of 1 m, in the middle of the picture.
double PixelsPerRadian(const View& view);

// Returns the view after a time of straight flight.
View Ahead(const View& view, double seconds);

// The pyramid that a view shows.
struct Ball {
  sphere::Vector middle;
  double radius_m = 0;
};

class Frustum {
 public:
  // The picture's upper edge points to `up`, or to `north` if the camera looks straight up or down.
  // Both have length 1.
  Frustum(const View& view, const sphere::Vector& up, const sphere::Vector& north);

  // Whether the ball may reach into the pyramid: never false for a visible ball.
  bool MayShow(const Ball& ball) const;

 private:
  sphere::Vector position_;
  sphere::Vector forward_;
  // Normals of the left, right, upper and lower side, pointing inward, of length 1.
  std::array<sphere::Vector, 4> normals_;
};

}  // namespace thalweg::lod
