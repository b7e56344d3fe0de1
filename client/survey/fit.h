// Fits by least squares.
#pragma once

#include <optional>
#include <span>

#include "client/survey/grid.h"

namespace thalweg::survey {

// Returns the slope of the line with the least sum of squared differences in y. Both spans must
// have the same length. Nothing if fewer than two values of x differ.
std::optional<double> FitSlope(std::span<const double> x, std::span<const double> y);

// Subtracts from the samples the plane that fits them best by least squares.
void RemovePlane(Grid<double>& samples);

}  // namespace thalweg::survey
