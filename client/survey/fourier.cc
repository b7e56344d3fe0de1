#include "client/survey/fourier.h"

#include <complex>
#include <cstddef>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace thalweg::survey {

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

}  // namespace thalweg::survey
