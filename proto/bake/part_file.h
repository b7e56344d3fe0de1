// The bytes of a part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"

namespace thalweg::bake {

// The values of a layer, by its number in thalweg.v1.Layer: rows from north to south.
struct PartPlane {
  int layer = 0;
  std::vector<std::int32_t> values;
};

struct PartValues {
  Area area;
  std::vector<PartPlane> planes;
};

// A header that says what it is of, then the planes' values, exact: differences along rows, as one
// zstd frame with a checksum. The area is 1 to kPartSide vertices on a side.
std::string EncodePart(const PartValues& part);

// What was encoded. DATA_LOSS for bytes that are no part, are cut off or were changed.
absl::StatusOr<PartValues> DecodePart(std::string_view bytes);

}  // namespace thalweg::bake
