#include "client/tools/survey/statistics.h"

#include <Eigen/Dense>
#include <cmath>

namespace thalweg::survey {

std::optional<double> FitSlope(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 2) return std::nullopt;
  const auto count = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixX2d model(count, 2);
  model.col(0) = Eigen::Map<const Eigen::VectorXd>(x.data(), count);
  model.col(1).setOnes();
  const auto solver = model.colPivHouseholderQr();
  if (solver.rank() < 2) return std::nullopt;
  const Eigen::Vector2d line = solver.solve(Eigen::Map<const Eigen::VectorXd>(y.data(), count));
  return line[0];
}

void RemovePlane(Grid<double>& samples) {
  // Positions are counted from the middle, so that the columns of the model are orthogonal.
  const double middle_x = 0.5 * (samples.width - 1);
  const double middle_y = 0.5 * (samples.height - 1);
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (int y = 0; y < samples.height; ++y) {
    for (int x = 0; x < samples.width; ++x) {
      const Eigen::Vector3d place(x - middle_x, y - middle_y, 1);
      normal += place * place.transpose();
      right += place * samples.At(x, y);
    }
  }
  const Eigen::Vector3d plane = normal.ldlt().solve(right);
  for (int y = 0; y < samples.height; ++y) {
    for (int x = 0; x < samples.width; ++x) {
      samples.At(x, y) -= plane.dot(Eigen::Vector3d(x - middle_x, y - middle_y, 1));
    }
  }
}

LogBins MeanOverLogBins(std::span<const double> x, std::span<const double> y, double first_x,
                        int bins_per_decade, int min_count) {
  struct Sum {
    double log_x = 0;
    double log_y = 0;
    int count = 0;
  };
  std::vector<Sum> sums;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < first_x) continue;
    const auto bin = static_cast<std::size_t>(std::log10(x[i] / first_x) * bins_per_decade);
    if (bin >= sums.size()) sums.resize(bin + 1);
    sums[bin].log_x += std::log10(x[i]);
    sums[bin].log_y += std::log10(y[i]);
    ++sums[bin].count;
  }
  LogBins bins;
  for (const Sum& sum : sums) {
    if (sum.count == 0 || sum.count < min_count) continue;
    bins.log_x.push_back(sum.log_x / sum.count);
    bins.log_y.push_back(sum.log_y / sum.count);
  }
  return bins;
}

}  // namespace thalweg::survey
