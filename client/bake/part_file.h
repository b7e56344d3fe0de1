// The bytes of a part.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "thalweg/region.h"

namespace thalweg::bake {

// A header that says what it is of, then the planes' values, exact: differences along rows, as one
// zstd frame with a checksum.
std::string EncodePart(const Region& region);

// The region that was encoded. DATA_LOSS for bytes that are no part, are cut off or were changed.
absl::StatusOr<Region> DecodePart(std::string_view bytes);

}  // namespace thalweg::bake
