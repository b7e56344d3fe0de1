// The Fourier transform of a grid.
#pragma once

#include "client/survey/grid.h"

namespace thalweg::survey {

// The squared magnitudes of the discrete Fourier transform of a square of n x n samples, for the
// half plane that determines the rest for real samples: n / 2 + 1 columns of wavenumbers 0 to n / 2
// to the east, n rows of wavenumbers 0 to n - 1 to the south, of which those above n / 2 stand for
// negative ones, less n. Wavenumbers are in waves a side.
Grid<double> PowerSpectrum(const Grid<double>& samples);

}  // namespace thalweg::survey
