// The flat map around the middle of a shape that a specification places in a world.
#pragma once

#include <vector>

#include "proto/geometry/vector.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

using Positions = google::protobuf::RepeatedPtrField<v1::Position>;

// A point of a map, in metres east and south of the shape's middle.
struct Corner {
  double east = 0;
  double south = 0;
};

double ApartM(const Corner& a, const Corner& b);

// A shape on a plane, or on Lambert's azimuthal map of a sphere. Only arithmetic that is the same
// on every machine is used.
struct ShapeMap {
  // On a plane in metres, on a sphere a vector of length 1.
  sphere::Vector middle;
  // Of a closed line the last corner is the first one again. Long edges on a sphere have more
  // corners, since a map bends great circles.
  std::vector<Corner> corners;

  static ShapeMap OnPlane(const Positions& positions, bool is_closed);
  static ShapeMap OnSphere(const Positions& positions, bool is_closed, double radius_m);
};

// The straight distance through a sphere between places that lie this far apart on it, with the
// sign of that; at most half the circumference.
double Chord(double along_m, double radius_m);

// The direction of a latitude and longitude.
sphere::Vector UnitVector(const v1::Position& position);

// The turns of a middle that kernels::onMap takes.
struct Turns {
  // Of the longitude.
  double cosine = 1;
  double sine = 0;
  // Of half the latitude.
  double tangent = 0;
};
Turns TurnsOf(const sphere::Vector& middle);

// The same as kernels::onMap, in metres.
Corner OnMap(const sphere::Vector& point, const sphere::Vector& middle, double radius_m);

}  // namespace thalweg::world
