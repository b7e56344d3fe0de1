#include "tests/client/noise_field.h"

#include <fftw3.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

namespace thalweg::client_test {

survey::Grid<double> NoiseField(int side, double beta, std::uint64_t seed,
                                const std::function<double(double)>& weight) {
  const int period = 2 * side;
  const int columns = period / 2 + 1;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<std::complex<double>> waves;
  for (int row = 0; row < period; ++row) {
    const int south = row > side ? row - period : row;
    for (int east = 0; east < columns; ++east) {
      const std::complex<double> phase(normal(random), normal(random));
      if (east == 0 && south == 0) {
        waves.emplace_back(0);
        continue;
      }
      const double degrees = std::atan2(-south, east) * 180 / std::numbers::pi;
      // Of the waves that stand for their own opposites, the mean of both is taken.
      const double both = east == 0 || east == side ? 2 : 1;
      const double power = both * std::pow(std::hypot(east, south), -beta);
      waves.push_back(phase * std::sqrt(power * (weight ? weight(degrees) : 1)));
    }
  }
  survey::Grid<double> whole = survey::FilledGrid(period, period, 0.0);
  fftw_plan plan =
      fftw_plan_dft_c2r_2d(period, period, reinterpret_cast<fftw_complex*>(waves.data()),
                           whole.values.data(), FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  survey::Grid<double> part = survey::FilledGrid(side, side, 0.0);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) part.At(x, y) = whole.At(x, y);
  }
  return part;
}

}  // namespace thalweg::client_test
