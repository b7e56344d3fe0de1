// An elevation file. Any bytes are refused, or can be read everywhere.
#include "proto/elevation/elevation_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

using thalweg::elevation::ElevationFile;
using thalweg::elevation::Plane;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = ElevationFile::Parse(std::string(reinterpret_cast<const char*>(data), size));
  if (!file.ok()) {
    if (file.status().code() != absl::StatusCode::kDataLoss) std::abort();
    return 0;
  }
  for (int sheet = 0; sheet < (*file)->sheets(); ++sheet) {
    const auto& shape = (*file)->shape(sheet);
    // Strips along the last row and the last column read the tiles at the ends.
    for (const Plane plane : {Plane::kGround, Plane::kArea, Plane::kWay}) {
      std::vector<std::int32_t> values(
          static_cast<std::size_t>(std::max(shape.width, shape.height)));
      (*file)->Read(sheet, plane, 0, shape.height - 1, shape.width, 1, values);
      (*file)->Read(sheet, plane, shape.width - 1, 0, 1, shape.height, values);
    }
  }
  return 0;
}
