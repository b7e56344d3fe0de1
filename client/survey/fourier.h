// The Fourier transform of a grid.
#pragma once

#include "client/survey/grid.h"

namespace thalweg::survey {

// Returns the squared magnitudes of the discrete Fourier transform of n x n samples. For real
// samples half of the plane determines the rest: n / 2 + 1 columns for wavenumbers 0 to n / 2 to
// the east, and n rows for wavenumbers 0 to n - 1 to the south, where those above n / 2 mean
// negative ones (minus n). Wavenumbers are in waves per side.
Grid<double> PowerSpectrum(const Grid<double>& samples);

}  // namespace thalweg::survey
