// How a layer of a tile travels: rounded to a lattice, predicted, split in byte planes, compressed.
// README.md beside this file has the format for those who write a decoder of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace thalweg::wire {

// The coarsest lattice there is: multiples of 2^30.
inline constexpr int kMaxLatticeShift = 30;

// The most values that a layer may have.
inline constexpr int kMaxLayerValues = 1 << 24;

// A layer as it travels.
struct EncodedLayer {
  // The smallest and largest of the values that a decoder will get.
  std::int32_t min = 0;
  std::int32_t max = 0;
  std::string data;
};

// The multiple of 2^lattice_shift that is nearest to a value, the upper one of two; the largest
// there is where that exceeds 32 bits. Depends on nothing else, so edges that tiles share stay
// equal.
std::int32_t RoundToLattice(std::int32_t value, int lattice_shift);

// Encodes width x height values, row-major. The same values give the same bytes. Aborts unless
// values.size() is width x height, from 1 to kMaxLayerValues, and the shift is 0 to
// kMaxLatticeShift.
EncodedLayer EncodeLayer(std::span<const std::int32_t> values, int width, int height,
                         int lattice_shift);

// Decodes to width x height values, row-major. Safe with any input: DATA_LOSS says what is wrong,
// and sizes in the input never decide how much is allocated. INVALID_ARGUMENT for sizes that no
// layer has.
absl::StatusOr<std::vector<std::int32_t>> DecodeLayer(std::string_view data, int width, int height,
                                                      int lattice_shift);

// The same into memory of the caller's: `values` has width x height entries.
absl::Status DecodeLayerInto(std::string_view data, int width, int height, int lattice_shift,
                             std::span<std::int32_t> values);

}  // namespace thalweg::wire
