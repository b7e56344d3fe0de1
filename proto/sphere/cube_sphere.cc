#include "proto/sphere/cube_sphere.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg::sphere {
namespace {

constexpr double kRadiansPerDegree = std::numbers::pi / 180;

double Dot(const Axis& axis, const Point& point) {
  return axis.x * point.x + axis.y * point.y + axis.z * point.z;
}

Point Unit(const Point& point) {
  const double length = std::sqrt(point.x * point.x + point.y * point.y + point.z * point.z);
  return {point.x / length, point.y / length, point.z / length};
}

}  // namespace

double ToCube(double on_lattice) {
  const double s = on_lattice;
  return s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3;
}

double ToLattice(double on_cube) {
  const double u = on_cube;
  return u >= 0 ? 0.5 * std::sqrt(1 + 3 * u) : 1 - 0.5 * std::sqrt(1 - 3 * u);
}

Point PointOf(const FacePlace& place) {
  const FaceAxes axes = AxesOf(place.face);
  const double u = ToCube(place.x);
  const double v = ToCube(place.y);
  return Unit({axes.middle.x + u * axes.x.x + v * axes.y.x,
               axes.middle.y + u * axes.x.y + v * axes.y.y,
               axes.middle.z + u * axes.x.z + v * axes.y.z});
}

FacePlace PlaceOn(int face, const Point& point) {
  const FaceAxes axes = AxesOf(face);
  const double depth = Dot(axes.middle, point);
  return {face, ToLattice(Dot(axes.x, point) / depth), ToLattice(Dot(axes.y, point) / depth)};
}

FacePlace PlaceOf(const Point& point) {
  int nearest = 0;
  for (int face = 1; face < kFaces; ++face) {
    if (Dot(AxesOf(face).middle, point) > Dot(AxesOf(nearest).middle, point)) nearest = face;
  }
  return PlaceOn(nearest, point);
}

Point PointOf(const LatLong& place) {
  const double latitude = place.latitude * kRadiansPerDegree;
  const double longitude = place.longitude * kRadiansPerDegree;
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

LatLong LatLongOf(const Point& point) {
  return {std::atan2(point.z, std::hypot(point.x, point.y)) / kRadiansPerDegree,
          std::atan2(point.y, point.x) / kRadiansPerDegree};
}

}  // namespace thalweg::sphere
