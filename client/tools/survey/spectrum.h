// How the power of relief is distributed over wavelengths and directions.
#pragma once

#include <array>
#include <optional>

#include "client/tools/survey/grid.h"

namespace thalweg::survey {

// Returns the squared magnitudes of the discrete Fourier transform of n x n samples. For real
// samples half of the plane determines the rest: n / 2 + 1 columns for wavenumbers 0 to n / 2 to
// the east, and n rows for wavenumbers 0 to n - 1 to the south, where those above n / 2 mean
// negative ones (minus n). Wavenumbers are in waves per side.
Grid<double> PowerSpectrum(const Grid<double>& samples);

// The power spectrum of a square of heights, minus the best-fitting plane, under a Hann window.
// Rows and columns beyond the shorter side, or beyond an even number, are left out.
class Spectrum {
 public:
  // Needs at least 16 x 16 heights.
  explicit Spectrum(const Grid<double>& heights);

  // Returns beta of power = k * wavenumber^-beta: the negative slope of the radially averaged
  // spectrum, by least squares over means of logarithms in bins of a third of an octave, from a
  // quarter of the square to wavelengths of four cells. Nothing for a plane.
  std::optional<double> Slope() const;

  // Returns the strength of waves in four directions relative to the mean of all: waves that run to
  // the east, the north-east, the north and the north-west (0, 45, 90, 135 degrees; their crests
  // lie across), within 5 degrees and with wavelengths of 4 to 32 cells. Each ring of one
  // wavenumber is divided by its mean first, so that all wavelengths have the same weight. 1 means
  // no preferred direction. Nothing for a plane.
  std::optional<std::array<double, 4>> DirectionalPower() const;

  // The same for eight directions, 22.5 degrees apart from east on, anticlockwise: within 7
  // degrees, with wavelengths from `shortest` to `longest` in cells, each ring divided by its mean.
  // 1 means no preferred direction. Nothing for a plane.
  std::optional<std::array<double, 8>> Sectors(double shortest, double longest) const;

 private:
  // The mean power at each wavenumber from 0 to half the side, rounded, in waves per side.
  std::vector<double> rings_;
  Grid<double> power_;
  int side_;
};

}  // namespace thalweg::survey
