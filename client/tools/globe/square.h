// A square of a planet with equal metres everywhere, wherever it lies on the cube's faces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "client/tools/survey/grid.h"
#include "proto/geometry/cube_sphere.h"

namespace thalweg::globe {

// The sides of a cell of a level at a place, in metres. Half-way along an edge of a face one is 1.4
// times the other; at a corner, where they are equal, they meet at 120 degrees.
struct CellSides {
  double shortest_m = 0;
  double longest_m = 0;
};
CellSides CellSidesAt(const sphere::Vector& place, int level, double radius_m);

// Samples in rows around a place, in Lambert's azimuthal equal-area projection (Snyder: Map
// Projections, USGS Professional Paper 1395, 1987, p. 182). Distances are off by a part of
// (angle from the middle)^2 / 8.
class Square {
 public:
  // The middle has any length above 0. The rows run in the direction of `right`, which must not be
  // parallel to the middle. `side`: samples on a side, at least 1. The square's half diagonal is
  // less than twice the radius.
  Square(const sphere::Vector& middle, const sphere::Vector& right, int side, double spacing_m,
         double radius_m);

  int side() const { return side_; }
  double spacing_m() const { return spacing_m_; }

  // Returns the direction of a sample from the planet's middle, of length 1.
  sphere::Vector PointAt(int column, int row) const;
  // Whether a point of the planet lies in the square, edges included.
  bool Contains(const sphere::Vector& point) const;

 private:
  sphere::Vector up_;
  sphere::Vector right_;
  sphere::Vector down_;
  int side_;
  double spacing_m_;
  double radius_m_;
};

// A rectangle of a face's vertices of one level.
struct FaceVertices {
  int face = 0;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  int width = 0;
  int height = 0;
};

// Returns what a square's samples are interpolated from: a rectangle on each face that has some.
std::vector<FaceVertices> VerticesUnder(const Square& square, int level);

// Values at the vertices of a rectangle.
struct FaceGrid {
  FaceVertices vertices;
  survey::Grid<double> values;
};

// Returns the ground at a square's samples, from the grids of VerticesUnder. It is the polynomial
// of degree 5 through 6 x 6 vertices around each sample, at the edge of a face the nearest ones of
// the face. So waves keep their strength: those of four cells 90 % and more of their power, where
// linear interpolation leaves two thirds, and less where cells are long.
survey::Grid<double> SmoothSamples(const Square& square, int level,
                                   std::span<const FaceGrid> faces);

// Returns values that may have steps: bilinear in each cell.
survey::Grid<double> LinearSamples(const Square& square, int level,
                                   std::span<const FaceGrid> faces);

// Returns the surface of the water at a square's samples, whose ground is `ground_m`; the ground
// where it is dry. `faces`: the surface of the water at the vertices, and the ground there. A
// sample is wet as the nearest vertex is, at the mean level of the wet corners of its cell.
survey::Grid<double> WaterSamples(const Square& square, int level,
                                  std::span<const FaceGrid> water_m,
                                  std::span<const FaceGrid> vertices_m,
                                  const survey::Grid<double>& ground_m);

}  // namespace thalweg::globe
