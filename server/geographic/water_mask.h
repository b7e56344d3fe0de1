// Where water is in a tile, as the extension watermask of quantized-mesh-1.0 has it.
#pragma once

#include <string>
#include <vector>

namespace thalweg::geographic {

// Whether each of kMeshSide x kMeshSide vertices from the south-west is wet, to 256 x 256 bytes
// from the north-west: 255 where, between them, more than half is wet, else 0. One byte if all are
// the same.
std::string WaterMaskOf(const std::vector<bool>& wet);

}  // namespace thalweg::geographic
