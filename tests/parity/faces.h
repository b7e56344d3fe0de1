// Compares what the faces of a planet know of the same vertices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/backend/backend.h"
#include "server/world/block.h"
#include "server/world/block_shape.h"
#include "tests/parity/chain.h"

namespace thalweg::parity {

// The cells in a row of level 0's faces, and of the blocks that tests compute.
inline constexpr int kFaceBlock = 256;

inline std::int64_t FaceCells(int level) { return std::int64_t{kFaceBlock} << level; }

// A layer's value turned by quarter turns: only ways and offsets to the shore have a direction.
std::int32_t Turned(backend::Layer layer, std::int32_t value, int turns);

// A layer's values on a face's lattice, continued beyond its sides over the faces there, as their
// owners' blocks have them.
std::vector<std::int32_t> ReadContinued(Chain& chain, int level, const backend::Vertices& at,
                                        backend::Layer layer);

// Compares a block's result, apron included, as its own face has it, with the same vertices as
// their owners' blocks have them. Returns the differences, or "".
std::string FaceDifferences(backend::Backend& backend, Chain& chain, const world::BlockShape& shape,
                            const world::BlockKey& key, backend::Layer layer);

}  // namespace thalweg::parity
