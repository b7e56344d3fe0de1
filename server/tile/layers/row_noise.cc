#include "server/tile/layers/row_noise.h"

#include "server/stages/independent.h"

namespace thalweg::tile {
namespace {

using kernels::between;
using kernels::vec3;

// How many places a compiler computes at once. Runs are rounded up to whole vectors: values behind
// a run's end are overwritten by the next run, or lie behind the last place.
constexpr std::size_t kLanes = 4;

void Reserve(std::vector<float>& values, std::size_t places) {
  if (values.size() < places + kLanes) values.resize(places + kLanes);
}

std::size_t WholeLanes(std::size_t places) { return (places + kLanes - 1) / kLanes * kLanes; }

// The vectors of directions in space, by their axes and signs.
constexpr std::size_t kSigns = 4;
using Directions = std::array<vec3, 3 * kSigns>;

const Directions& AllDirections() {
  static const Directions directions = [] {
    Directions made;
    for (std::size_t k = 0; k < made.size(); ++k) {
      // The part along an axis is the dot product with that axis.
      const kernels::SpaceDirection direction{static_cast<std::uint32_t>(k / kSigns),
                                              static_cast<std::uint32_t>(k % kSigns)};
      made[k] = vec3(kernels::directionDot(direction, vec3(1, 0, 0)),
                     kernels::directionDot(direction, vec3(0, 1, 0)),
                     kernels::directionDot(direction, vec3(0, 0, 1)));
    }
    return made;
  }();
  return directions;
}

// directionDot of the vector's direction. Each part of the vector is 0, 1 or -1, so both are exact.
float Dot(const vec3& gradient, const vec3& away) {
  return away.x * gradient.x + away.y * gradient.y + away.z * gradient.z;
}

}  // namespace

std::span<const float> PlaneNoise::At(std::span<const kernels::Place> places) {
  for (std::vector<float>* const values : {&x_, &y_, &noise_}) Reserve(*values, places.size());
  const kernels::Lattice lattice = lattice_;
  const kernels::uvec2 seed = seed_;
  kernels::PlaneCell known{};
  std::size_t first = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const kernels::PlaneCell cell = kernels::planeCell(places[k], lattice);
    x_[k] = cell.at.x;
    y_[k] = cell.at.y;
    if (k > 0 && cell.x == known.x && cell.y == known.y) continue;
    Evaluate(first, k);
    first = k;
    known = cell;
    corners_ = kernels::planeCorners(cell.x, cell.y, lattice.stream, seed);
  }
  Evaluate(first, places.size());
  return std::span(noise_).first(places.size());
}

void PlaneNoise::Evaluate(std::size_t first, std::size_t last) {
  const kernels::PlaneCorners corners = corners_;
  const float* const x = x_.data() + first;
  const float* const y = y_.data() + first;
  float* const noise = noise_.data() + first;
  const std::size_t count = WholeLanes(last - first);
  THALWEG_INDEPENDENT for (std::size_t k = 0; k < count; ++k) {
    noise[k] = kernels::noiseBetween(corners, kernels::vec2(x[k], y[k]));
  }
}

template <std::size_t kNoises>
std::array<std::span<const float>, kNoises> SpaceNoise<kNoises>::At(
    std::span<const kernels::Place> places) {
  for (std::vector<float>* const values : {&x_, &y_, &z_}) Reserve(*values, places.size());
  for (std::vector<float>& values : noises_) Reserve(values, places.size());
  const kernels::Lattice lattice = lattice_;
  kernels::SpaceCell known{};
  std::size_t first = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const kernels::SpaceCell cell = kernels::spaceCell(places[k], lattice);
    x_[k] = cell.at.x;
    y_[k] = cell.at.y;
    z_[k] = cell.at.z;
    if (k > 0 && cell.x == known.x && cell.y == known.y && cell.z == known.z) continue;
    Evaluate(first, k);
    first = k;
    known = cell;
    MakeCorners(cell);
  }
  Evaluate(first, places.size());
  std::array<std::span<const float>, kNoises> noises;
  for (std::size_t n = 0; n < kNoises; ++n) noises[n] = std::span(noises_[n]).first(places.size());
  return noises;
}

template <std::size_t kNoises>
void SpaceNoise<kNoises>::MakeCorners(const kernels::SpaceCell& cell) {
  const Directions& directions = AllDirections();
  const kernels::SpaceColumns columns = kernels::spaceColumns(cell, lattice_.stream, seed_);
  const auto make = [&](std::uint32_t hash, vec3 Column::*corner, Column Corners::*column) {
    for (std::size_t n = 0; n < kNoises; ++n) {
      const auto direction = kernels::spaceDirection(hash, static_cast<int>(n));
      corners_[n].*column.*corner = directions[direction.axes * kSigns + direction.signs];
    }
  };
  const auto make_column = [&](std::uint32_t hash, Column Corners::*column) {
    make(kernels::spaceCorner(hash, cell.z), &Column::low, column);
    make(kernels::spaceCorner(hash, cell.z + 1), &Column::high, column);
  };
  make_column(columns.nw, &Corners::nw);
  make_column(columns.ne, &Corners::ne);
  make_column(columns.sw, &Corners::sw);
  make_column(columns.se, &Corners::se);
}

template <std::size_t kNoises>
void SpaceNoise<kNoises>::Evaluate(std::size_t first, std::size_t last) {
  const float* const x = x_.data() + first;
  const float* const y = y_.data() + first;
  const float* const z = z_.data() + first;
  const std::size_t count = WholeLanes(last - first);
  for (std::size_t n = 0; n < kNoises; ++n) {
    const Corners corners = corners_[n];
    float* const noise = noises_[n].data() + first;
    THALWEG_INDEPENDENT for (std::size_t k = 0; k < count; ++k) {
      const vec3 at(x[k], y[k], z[k]);
      const float u = kernels::fade(at.x);
      const float w = kernels::fade(at.z);
      const auto on_column = [&](const Column& column, float east, float south) {
        const vec3 away = at - vec3(east, south, 0);
        return between(Dot(column.low, away), Dot(column.high, away - vec3(0, 0, 1)), w);
      };
      const float north = between(on_column(corners.nw, 0, 0), on_column(corners.ne, 1, 0), u);
      const float south = between(on_column(corners.sw, 0, 1), on_column(corners.se, 1, 1), u);
      noise[k] = between(north, south, kernels::fade(at.y));
    }
  }
}

template class SpaceNoise<1>;
template class SpaceNoise<2>;

}  // namespace thalweg::tile
