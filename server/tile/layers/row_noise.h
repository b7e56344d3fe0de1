// Gradient noise at places of a row, with the bits of the kernels' own functions. Places that
// follow each other mostly lie in one cell of the lattice, so the gradients at its corners are made
// once for all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shaders/kernels/noise.glsl"

namespace thalweg::tile {

// gradientNoise of a lattice of a plane.
class PlaneNoise {
 public:
  PlaneNoise(const kernels::Lattice& lattice, const kernels::uvec2& seed)
      : lattice_(lattice), seed_(seed) {}

  // The noise at each of the places. It is valid until the next call.
  std::span<const float> At(std::span<const kernels::Place> places);

 private:
  // Makes the noise of the places from `first` to before `last`. They lie in the corners' cell.
  void Evaluate(std::size_t first, std::size_t last);

  kernels::Lattice lattice_;
  kernels::uvec2 seed_;
  kernels::PlaneCorners corners_{};
  // Where the places lie in their cells.
  std::vector<float> x_;
  std::vector<float> y_;
  std::vector<float> noise_;
};

// The first kNoises of spaceNoises of a lattice of space.
template <std::size_t kNoises>
class SpaceNoise {
 public:
  SpaceNoise(const kernels::Lattice& lattice, const kernels::uvec2& seed)
      : lattice_(lattice), seed_(seed) {}

  // The noises at each of the places. They are valid until the next call.
  std::array<std::span<const float>, kNoises> At(std::span<const kernels::Place> places);

 private:
  // The gradients at both ends of a column of corners along z.
  struct Column {
    kernels::vec3 low;
    kernels::vec3 high;
  };
  struct Corners {
    Column nw;
    Column ne;
    Column sw;
    Column se;
  };
  void MakeCorners(const kernels::SpaceCell& cell);
  void Evaluate(std::size_t first, std::size_t last);

  kernels::Lattice lattice_;
  kernels::uvec2 seed_;
  std::array<Corners, kNoises> corners_{};
  std::vector<float> x_;
  std::vector<float> y_;
  std::vector<float> z_;
  std::array<std::vector<float>, kNoises> noises_;
};

}  // namespace thalweg::tile
