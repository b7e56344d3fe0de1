// Noise of a known spectrum.
#pragma once

#include <cstdint>
#include <functional>

#include "client/survey/grid.h"

namespace thalweg::client_test {

// side x side samples of Gaussian noise whose power is wavenumber^-beta * weight(degrees), where
// degrees, from -90 to 90, say where the waves run: 0 to the east, 45 to the north-east. It is a
// part of a periodic field of twice the side, and so not periodic itself.
survey::Grid<double> NoiseField(int side, double beta, std::uint64_t seed,
                                const std::function<double(double)>& weight = nullptr);

}  // namespace thalweg::client_test
