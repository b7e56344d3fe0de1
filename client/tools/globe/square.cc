#include "client/tools/globe/square.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "proto/wire/tile_key.h"

namespace thalweg::globe {
namespace {

// Vertices in each direction that a smooth sample is computed from.
constexpr int kSupport = 6;

std::int64_t CellsOf(int level) { return std::int64_t{wire::kTileCells} << level; }

// A sample on a face: its cell, and the position in it from 0 to 1.
struct CellPlace {
  int face = 0;
  std::int64_t column = 0;
  std::int64_t row = 0;
  double east = 0;
  double south = 0;
};

CellPlace CellAt(const sphere::Vector& point, std::int64_t cells) {
  const sphere::FacePlace place = sphere::PlaceOf(point);
  const double x = place.x * static_cast<double>(cells);
  const double y = place.y * static_cast<double>(cells);
  const auto cell_of = [cells](double at) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(at)), 0, cells - 1);
  };
  const std::int64_t column = cell_of(x);
  const std::int64_t row = cell_of(y);
  return {place.face, column, row, x - static_cast<double>(column), y - static_cast<double>(row)};
}

// Returns the first of the vertices that support a sample, on the face.
std::int64_t SupportOf(std::int64_t cell, std::int64_t cells) {
  return std::clamp<std::int64_t>(cell - kSupport / 2 + 1, 0, cells + 1 - kSupport);
}

// Calls visit(sample's index, its place) for all samples.
template <typename Visit>
void ForEachSample(const Square& square, int level, const Visit& visit) {
  const std::int64_t cells = CellsOf(level);
  std::size_t sample = 0;
  for (int row = 0; row < square.side(); ++row) {
    for (int column = 0; column < square.side(); ++column) {
      visit(sample++, CellAt(square.PointAt(column, row), cells));
    }
  }
}

// Lagrange's weights of nodes 0 to kSupport - 1 at a position among them.
std::array<double, kSupport> WeightsAt(double position) {
  std::array<double, kSupport> weights{};
  for (int i = 0; i < kSupport; ++i) {
    double weight = 1;
    for (int j = 0; j < kSupport; ++j) {
      if (j != i) weight *= (position - j) / (i - j);
    }
    weights[static_cast<std::size_t>(i)] = weight;
  }
  return weights;
}

// The grid of a face, by the face's vertices.
class FaceView {
 public:
  FaceView(std::span<const FaceGrid> faces, int face)
      : grid_(&*std::ranges::find(faces, face,
                                  [](const FaceGrid& grid) { return grid.vertices.face; })) {}

  double At(std::int64_t x, std::int64_t y) const {
    const FaceVertices& vertices = grid_->vertices;
    return grid_->values.At(static_cast<int>(x - vertices.x0), static_cast<int>(y - vertices.y0));
  }

 private:
  const FaceGrid* grid_;
};

double Bilinear(const FaceView& face, const CellPlace& place) {
  const auto along = [&](std::int64_t row) {
    return std::lerp(face.At(place.column, row), face.At(place.column + 1, row), place.east);
  };
  return std::lerp(along(place.row), along(place.row + 1), place.south);
}

}  // namespace

CellSides CellSidesAt(const sphere::Vector& place, int level, double radius_m) {
  const sphere::FacePlace at = sphere::PlaceOf(place);
  // Half a cell to each side; places beyond the face continue its projection.
  const double half = 0.5 / static_cast<double>(CellsOf(level));
  const auto side_m = [&](double x, double y) {
    return radius_m *
           sphere::Length(sphere::PointOf(sphere::FacePlace{at.face, at.x + x, at.y + y}) -
                          sphere::PointOf(sphere::FacePlace{at.face, at.x - x, at.y - y}));
  };
  const auto [shortest_m, longest_m] = std::minmax({side_m(half, 0), side_m(0, half)});
  return {shortest_m, longest_m};
}

Square::Square(const sphere::Vector& middle, const sphere::Vector& right, int side,
               double spacing_m, double radius_m)
    : up_(sphere::Unit(middle)),
      right_(sphere::Unit(right - sphere::Dot(right, up_) * up_)),
      down_(sphere::Cross(right_, up_)),
      side_(side),
      spacing_m_(spacing_m),
      radius_m_(radius_m) {}

sphere::Vector Square::PointAt(int column, int row) const {
  const double middle = 0.5 * (side_ - 1);
  const double x = (column - middle) * spacing_m_ / radius_m_;
  const double y = (row - middle) * spacing_m_ / radius_m_;
  const double square = x * x + y * y;
  const double along = std::sqrt(1 - square / 4);
  return (1 - square / 2) * up_ + along * x * right_ + along * y * down_;
}

bool Square::Contains(const sphere::Vector& point) const {
  const sphere::Vector at = sphere::Unit(point);
  const double facing = sphere::Dot(at, up_);
  if (facing <= -1) return false;
  const double scale = std::sqrt(2 / (1 + facing)) * radius_m_;
  const double half_m = 0.5 * (side_ - 1) * spacing_m_ * (1 + 1e-12);
  return std::abs(sphere::Dot(at, right_)) * scale <= half_m &&
         std::abs(sphere::Dot(at, down_)) * scale <= half_m;
}

std::vector<FaceVertices> VerticesUnder(const Square& square, int level) {
  struct Range {
    std::int64_t first;
    std::int64_t last;
    void Add(std::int64_t at) {
      first = std::min(first, at);
      last = std::max(last, at + kSupport - 1);
    }
  };
  struct Ranges {
    Range x;
    Range y;
  };
  const std::int64_t cells = CellsOf(level);
  std::array<Ranges, sphere::kFaces> found;
  found.fill({{cells, -1}, {cells, -1}});
  ForEachSample(square, level, [&](std::size_t /*sample*/, const CellPlace& place) {
    Ranges& ranges = found[static_cast<std::size_t>(place.face)];
    ranges.x.Add(SupportOf(place.column, cells));
    ranges.y.Add(SupportOf(place.row, cells));
  });
  std::vector<FaceVertices> vertices;
  for (int face = 0; face < sphere::kFaces; ++face) {
    const auto& [x, y] = found[static_cast<std::size_t>(face)];
    if (x.last < 0) continue;
    vertices.push_back({face, x.first, y.first, static_cast<int>(x.last - x.first + 1),
                        static_cast<int>(y.last - y.first + 1)});
  }
  return vertices;
}

survey::Grid<double> SmoothSamples(const Square& square, int level,
                                   std::span<const FaceGrid> faces) {
  const std::int64_t cells = CellsOf(level);
  survey::Grid<double> samples = survey::FilledGrid(square.side(), square.side(), 0.0);
  ForEachSample(square, level, [&](std::size_t sample, const CellPlace& place) {
    const FaceView face(faces, place.face);
    const std::int64_t x0 = SupportOf(place.column, cells);
    const std::int64_t y0 = SupportOf(place.row, cells);
    const auto east = WeightsAt(static_cast<double>(place.column - x0) + place.east);
    const auto south = WeightsAt(static_cast<double>(place.row - y0) + place.south);
    double sum = 0;
    for (std::size_t row = 0; row < kSupport; ++row) {
      double along = 0;
      for (std::size_t column = 0; column < kSupport; ++column) {
        along += east[column] * face.At(x0 + static_cast<std::int64_t>(column),
                                        y0 + static_cast<std::int64_t>(row));
      }
      sum += south[row] * along;
    }
    samples.values[sample] = sum;
  });
  return samples;
}

survey::Grid<double> LinearSamples(const Square& square, int level,
                                   std::span<const FaceGrid> faces) {
  survey::Grid<double> samples = survey::FilledGrid(square.side(), square.side(), 0.0);
  ForEachSample(square, level, [&](std::size_t sample, const CellPlace& place) {
    samples.values[sample] = Bilinear(FaceView(faces, place.face), place);
  });
  return samples;
}

survey::Grid<double> WaterSamples(const Square& square, int level,
                                  std::span<const FaceGrid> water_m,
                                  std::span<const FaceGrid> vertices_m,
                                  const survey::Grid<double>& ground_m) {
  survey::Grid<double> samples = ground_m;
  ForEachSample(square, level, [&](std::size_t sample, const CellPlace& place) {
    const FaceView water(water_m, place.face);
    const FaceView ground(vertices_m, place.face);
    const auto is_wet = [&](std::int64_t x, std::int64_t y) {
      return water.At(x, y) > ground.At(x, y);
    };
    const std::int64_t nearest_x = place.column + (place.east < 0.5 ? 0 : 1);
    const std::int64_t nearest_y = place.row + (place.south < 0.5 ? 0 : 1);
    if (!is_wet(nearest_x, nearest_y)) return;
    double sum = 0;
    double wet = 0;
    for (std::int64_t y = place.row; y <= place.row + 1; ++y) {
      for (std::int64_t x = place.column; x <= place.column + 1; ++x) {
        if (!is_wet(x, y)) continue;
        sum += water.At(x, y);
        wet += 1;
      }
    }
    samples.values[sample] = std::max(sum / wet, ground_m.values[sample]);
  });
  return samples;
}

}  // namespace thalweg::globe
