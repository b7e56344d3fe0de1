#include "client/survey/fit.h"

#include <Eigen/Dense>

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

}  // namespace thalweg::survey
