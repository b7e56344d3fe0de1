// The bytes of a part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"

namespace thalweg::bake {

// The values of one layer, which has this number in thalweg.v1.Layer; rows from north to south.
struct PartPlane {
  int layer = 0;
  std::vector<std::int32_t> values;
};

struct PartValues {
  Area area;
  std::vector<PartPlane> planes;
};

// Encodes a part: a header that identifies it, then the planes' exact values, as differences along
// rows in one zstd frame with a checksum. The area has 1 to kPartSide vertices on a side.
std::string EncodePart(const PartValues& part);

// Decodes a part. DATA_LOSS for bytes that are not a part, are cut off or were changed.
absl::StatusOr<PartValues> DecodePart(std::string_view bytes);

}  // namespace thalweg::bake
