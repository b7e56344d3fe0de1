#include "client/tools/survey/spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "client/tools/survey/statistics.h"

namespace thalweg::survey {
namespace {

constexpr int kShortestWave = 4;
constexpr int kLongestDirectedWave = 32;
constexpr double kWedgeDegrees = 5;
constexpr int kDirections = 4;
constexpr int kSectors = 8;
constexpr double kSectorDegrees = 7;
// The longest waves of the fit: this many in a side.
constexpr int kFewestWaves = 4;
// Ten thirds of an octave are about a decade.
constexpr int kBinsPerWaveDecade = 10;
// The rounding error of a plane, relative to the squares of its heights.
constexpr double kNoise = 1e-20;

Grid<double> Prepare(const Grid<double>& heights) {
  const int side = std::min(heights.width, heights.height) / 2 * 2;
  Grid<double> samples = FilledGrid(side, side, 0.0);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) samples.At(x, y) = heights.At(x, y);
  }
  double largest = 0;
  for (const double height : samples.values) largest = std::max(largest, height * height);
  RemovePlane(samples);
  double rest = 0;
  for (const double height : samples.values) rest = std::max(rest, height * height);
  if (rest <= largest * kNoise) return FilledGrid(side, side, 0.0);
  std::vector<double> window;
  for (int i = 0; i < side; ++i) {
    window.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * (i + 0.5) / side));
  }
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      samples.At(x, y) *= window[static_cast<std::size_t>(x)] * window[static_cast<std::size_t>(y)];
    }
  }
  return samples;
}

// Calls visit(east, south, weight, power) for each wavenumber of the half plane. The weight is 2
// for a wavenumber that also stands for its opposite.
template <typename Visit>
void ForEachWave(const Grid<double>& power, const Visit& visit) {
  const int side = power.height;
  for (int row = 0; row < side; ++row) {
    const int south = row > side / 2 ? row - side : row;
    for (int east = 0; east < power.width; ++east) {
      const double weight = east == 0 || east == side / 2 ? 1 : 2;
      visit(east, south, weight, power.At(east, row));
    }
  }
}

std::size_t Ring(int east, int south) {
  return static_cast<std::size_t>(std::lround(std::hypot(east, south)));
}

// Returns the mean power of waves within an angle of each of N directions, anticlockwise from east,
// relative to the mean of all waves in the band. Each ring is divided by its mean first. Nothing if
// a ring has no power.
template <std::size_t N, typename InBand>
std::optional<std::array<double, N>> PowerInWedges(const Grid<double>& power,
                                                   const std::vector<double>& rings,
                                                   double half_width_degrees,
                                                   const InBand& in_band) {
  constexpr double kApartDegrees = 180.0 / N;
  std::array<double, N> sums = {};
  std::array<double, N> weights = {};
  double all = 0;
  double all_weight = 0;
  bool is_flat = false;
  ForEachWave(power, [&](int east, int south, double weight, double wave_power) {
    const std::size_t ring = Ring(east, south);
    if (ring >= rings.size() || !in_band(std::hypot(east, south), ring)) return;
    is_flat = is_flat || rings[ring] <= 0;
    if (is_flat) return;
    const double share = weight * wave_power / rings[ring];
    all += share;
    all_weight += weight;
    // Rows grow to the south. 180 degrees are the same direction as 0.
    const double degrees = std::atan2(-south, east) * 180 / std::numbers::pi;
    const double nearest = std::round(degrees / kApartDegrees);
    if (std::abs(degrees - kApartDegrees * nearest) > half_width_degrees) return;
    const auto place =
        static_cast<std::size_t>(static_cast<int>(nearest) + 2 * static_cast<int>(N)) % N;
    sums[place] += share;
    weights[place] += weight;
  });
  if (is_flat || all <= 0) return std::nullopt;
  for (std::size_t i = 0; i < N; ++i) sums[i] *= all_weight / (weights[i] * all);
  return sums;
}

}  // namespace

Grid<double> PowerSpectrum(const Grid<double>& samples) {
  const int side = samples.width;
  const int columns = side / 2 + 1;
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  // Transforms the rows, of which half are kept, then the columns.
  std::vector<std::vector<std::complex<double>>> rows(static_cast<std::size_t>(side));
  std::vector<double> line(static_cast<std::size_t>(side));
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) line[static_cast<std::size_t>(x)] = samples.At(x, y);
    fft.fwd(rows[static_cast<std::size_t>(y)], line);
  }
  Grid<double> power = FilledGrid(columns, side, 0.0);
  std::vector<std::complex<double>> column(static_cast<std::size_t>(side));
  std::vector<std::complex<double>> waves;
  for (int x = 0; x < columns; ++x) {
    for (std::size_t y = 0; y < rows.size(); ++y) column[y] = rows[y][static_cast<std::size_t>(x)];
    fft.fwd(waves, column);
    for (int y = 0; y < side; ++y) power.At(x, y) = std::norm(waves[static_cast<std::size_t>(y)]);
  }
  return power;
}

Spectrum::Spectrum(const Grid<double>& heights)
    : power_(PowerSpectrum(Prepare(heights))), side_(power_.height) {
  rings_.assign(static_cast<std::size_t>(side_) / 2 + 1, 0);
  std::vector<double> weights(rings_.size(), 0);
  ForEachWave(power_, [&](int east, int south, double weight, double power) {
    const std::size_t ring = Ring(east, south);
    if (ring >= rings_.size()) return;
    rings_[ring] += weight * power;
    weights[ring] += weight;
  });
  for (std::size_t i = 0; i < rings_.size(); ++i) rings_[i] /= weights[i];
}

std::optional<double> Spectrum::Slope() const {
  std::vector<double> waves;
  std::vector<double> powers;
  for (int wave = kFewestWaves; wave <= side_ / kShortestWave; ++wave) {
    const double power = rings_[static_cast<std::size_t>(wave)];
    if (power <= 0) return std::nullopt;
    waves.push_back(wave);
    powers.push_back(power);
  }
  const LogBins bins = MeanOverLogBins(waves, powers, kFewestWaves, kBinsPerWaveDecade, 1);
  const std::optional<double> slope = FitSlope(bins.log_x, bins.log_y);
  if (!slope) return std::nullopt;
  return -*slope;
}

std::optional<std::array<double, 4>> Spectrum::DirectionalPower() const {
  const auto side = static_cast<std::size_t>(side_);
  return PowerInWedges<kDirections>(
      power_, rings_, kWedgeDegrees, [side](double /*waves*/, std::size_t ring) {
        return ring * kLongestDirectedWave >= side && ring * kShortestWave <= side;
      });
}

std::optional<std::array<double, 8>> Spectrum::Sectors(double shortest, double longest) const {
  return PowerInWedges<kSectors>(power_, rings_, kSectorDegrees,
                                 [&](double waves, std::size_t /*ring*/) {
                                   return waves * longest > side_ && waves * shortest < side_;
                                 });
}

}  // namespace thalweg::survey
