// Where a tile has water, as in the extension watermask of quantized-mesh-1.0.
#pragma once

#include <string>
#include <vector>

namespace thalweg::geographic {

// wet: whether each of kMeshSide x kMeshSide vertices from the south-west is wet. Returns 256 x 256
// bytes from the north-west: 255 where interpolation between the vertices gives more than half wet,
// else 0. One byte if all are the same.
std::string WaterMaskOf(const std::vector<bool>& wet);

}  // namespace thalweg::geographic
