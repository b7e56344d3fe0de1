// The distribution of relief's power over wavelengths and directions.
#pragma once

#include <array>
#include <optional>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The power spectrum of a square's heights, less the plane that fits them best, under a Hann
// window. Rows and columns beyond the shorter side, or beyond an even number, are left out.
class Spectrum {
 public:
  // At least 16 x 16 heights.
  explicit Spectrum(const Grid<double>& heights);

  // Beta of power = k * wavenumber^-beta: the negative slope of the radially averaged spectrum, by
  // least squares over means of logarithms in bins of a third of an octave, from a quarter of the
  // square down to wavelengths of four cells. Nothing for a plane.
  std::optional<double> Slope() const;

  // The strength of waves of four directions relative to the mean over all: waves that run to the
  // east, the north-east, the north and the north-west (0, 45, 90, 135 degrees; their crests lie
  // across), within 5 degrees and with wavelengths of 4 to 32 cells. Each ring of one wavenumber is
  // divided by its mean first, so that no wavelength outweighs the others. 1 where no direction is
  // preferred. Nothing for a plane.
  std::optional<std::array<double, 4>> DirectionalPower() const;

  // The same for eight directions, 22.5 degrees apart from east on, anticlockwise: within 7
  // degrees, with wavelengths from the shorter to the longer one in cells, each ring divided by its
  // mean. 1 where no direction is preferred. Nothing for a plane.
  std::optional<std::array<double, 8>> Sectors(double shortest, double longest) const;

 private:
  // The mean power at each wavenumber from 0 to half the side, rounded, in waves a side.
  std::vector<double> rings_;
  Grid<double> power_;
  int side_;
};

}  // namespace thalweg::survey
