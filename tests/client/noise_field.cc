#include "tests/client/noise_field.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace thalweg::client_test {

survey::Grid<double> NoiseField(int side, double beta, std::uint64_t seed,
                                const std::function<double(double)>& weight) {
  const int period = 2 * side;
  const int columns = period / 2 + 1;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  // Each row has one wavenumber to the south.
  std::vector<std::vector<std::complex<double>>> rows;
  for (int row = 0; row < period; ++row) {
    const int south = row > side ? row - period : row;
    std::vector<std::complex<double>>& waves = rows.emplace_back();
    for (int east = 0; east < columns; ++east) {
      const std::complex<double> phase(normal(random), normal(random));
      if (east == 0 && south == 0) {
        waves.emplace_back(0);
        continue;
      }
      const double degrees = std::atan2(-south, east) * 180 / std::numbers::pi;
      // Here the transform averages a wave with its opposite, which halves the power.
      const double both = east == 0 || east == side ? 2 : 1;
      const double power = both * std::pow(std::hypot(east, south), -beta);
      waves.push_back(phase * std::sqrt(power * (weight ? weight(degrees) : 1)));
    }
  }
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> column(rows.size());
  std::vector<std::complex<double>> values;
  for (std::size_t x = 0; x < static_cast<std::size_t>(columns); ++x) {
    for (std::size_t y = 0; y < rows.size(); ++y) column[y] = rows[y][x];
    fft.inv(values, column);
    for (std::size_t y = 0; y < rows.size(); ++y) rows[y][x] = values[y];
  }
  survey::Grid<double> part = survey::FilledGrid(side, side, 0.0);
  std::vector<double> line;
  for (int y = 0; y < side; ++y) {
    fft.inv(line, rows[static_cast<std::size_t>(y)], period);
    for (int x = 0; x < side; ++x) part.At(x, y) = line[static_cast<std::size_t>(x)];
  }
  return part;
}

}  // namespace thalweg::client_test
