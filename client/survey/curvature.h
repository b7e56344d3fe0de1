// Whether land has sharp crests or narrow valleys.
#pragma once

#include <optional>

#include "client/survey/grid.h"

namespace thalweg::survey {

// Returns the skewness of curvature: of the Laplacian of the ground after a Gaussian filter of one
// cell. Above 0 the land has narrow valleys in wide uplands, as where young gullies cut a plateau;
// below 0 sharp crests between wide valleys, as in old mountains. Mountains have -0.1 to -0.8.
// Nothing for a plane.
std::optional<double> CurvatureSkewness(const Grid<double>& ground_m);

}  // namespace thalweg::survey
