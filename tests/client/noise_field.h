// Noise with a known spectrum.
#pragma once

#include <cstdint>
#include <functional>

#include "client/tools/survey/grid.h"

namespace thalweg::client_test {

// side x side samples of Gaussian noise with the power wavenumber^-beta * weight(degrees). The
// angle, -90 to 90 degrees, is the waves' direction: 0 is east, 45 north-east. The field is a part
// of a periodic one of twice the side, so it is not periodic itself.
survey::Grid<double> NoiseField(int side, double beta, std::uint64_t seed,
                                const std::function<double(double)>& weight = nullptr);

}  // namespace thalweg::client_test
