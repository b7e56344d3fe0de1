// Where somebody looks, and how large things seem from there.
#pragma once

#include "absl/status/status.h"
#include "proto/sphere/cube_faces.h"

namespace thalweg::lod {

// A point or direction in the world, in metres. On a plane x grows to the east, y to the south, z
// upward from the datum. (The three are a left-handed system, as the tiles' rows and columns are.)
// On a planet they begin in its middle: z grows to the north pole, x to latitude and longitude 0, y
// to longitude 90° (right-handed).
struct Vector {
  double x = 0;
  double y = 0;
  double z = 0;
};

Vector VectorOf(const sphere::Axis& axis);
Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Vector operator*(double factor, const Vector& a);
double Dot(const Vector& a, const Vector& b);
Vector Cross(const Vector& a, const Vector& b);
double Length(const Vector& a);
// The direction as a vector of length 1; of a vector that has one.
Vector Unit(const Vector& a);

// How far the ground is drawn unless a view says otherwise.
inline constexpr double kDefaultRangeM = 60'000;

// A camera over a world.
struct View {
  Vector position{};
  // In metres a second.
  Vector velocity{};
  // Where it looks; of any length above 0.
  Vector direction{.x = 0, .y = -1, .z = 0};
  // The angle between the picture's upper and lower edge, in degrees: 1 to 170.
  double vertical_fov_deg = 60;
  // The picture's width over its height: 0.1 to 10.
  double aspect = 16.0 / 9;
  // The picture's height in pixels: 1 to 65,536.
  int viewport_height_px = 1080;
  // By how much the drawn ground may be off, seen from here, in pixels: 0.1 to 1,000.
  double tolerated_error_px = 2;
  // Ground farther away than this (horizontally) is not drawn, in metres. A planet is drawn whole:
  // what is farther away keeps its coarsest level.
  double range_m = kDefaultRangeM;
};

// INVALID_ARGUMENT, naming the field and its range, unless every number is finite and in its range.
absl::Status CheckView(const View& view);

// How many pixels a length of 1 m has that is seen from 1 m away, across the middle of the picture.
double PixelsPerRadian(const View& view);

// The view after a time of straight flight.
View Ahead(const View& view, double seconds);

}  // namespace thalweg::lod
