// How a layer of a tile is coded: rounded to a lattice, predicted, split into byte planes,
// compressed. README.md beside this file has the format, for people who write their own decoder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace thalweg::wire {

// The coarsest lattice: multiples of 2^30.
inline constexpr int kMaxLatticeShift = 30;

// Max values of a layer.
inline constexpr int kMaxLayerValues = 1 << 24;

// A layer's encoded values.
struct EncodedLayer {
  // The smallest and the largest value that a decoder will get.
  std::int32_t min = 0;
  std::int32_t max = 0;
  std::string data;
};

// Returns the multiple of 2^lattice_shift that is nearest to a value, the upper one if two are
// equally near. If it exceeds 32 bits, the largest that does not. Depends on nothing else, so
// shared edges of tiles stay equal.
std::int32_t RoundToLattice(std::int32_t value, int lattice_shift);

// Encodes width x height values, row-major. The same values give the same bytes. Aborts unless
// values.size() is width x height, from 1 to kMaxLayerValues, and the shift is 0 to
// kMaxLatticeShift.
EncodedLayer EncodeLayer(std::span<const std::int32_t> values, int width, int height,
                         int lattice_shift);

// Decodes to width x height values, row-major. Safe with any input: DATA_LOSS says what is wrong,
// and sizes in the input never decide how much memory is allocated. INVALID_ARGUMENT for sizes that
// no layer has.
absl::StatusOr<std::vector<std::int32_t>> DecodeLayer(std::string_view data, int width, int height,
                                                      int lattice_shift);

// The same into the caller's memory: `values` has width x height entries.
absl::Status DecodeLayerInto(std::string_view data, int width, int height, int lattice_shift,
                             std::span<std::int32_t> values);

}  // namespace thalweg::wire
