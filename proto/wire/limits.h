// The limits of messages and calls, as session.proto and terrain.proto state them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg::wire {

// Keys in one message of a session.
inline constexpr int kMaxKeysPerMessage = 4'096;
// Tiles that a session's client has, and tiles that it has asked for by name.
inline constexpr std::size_t kMaxHadTiles = 131'072;
inline constexpr std::size_t kMaxWantedTiles = 65'536;
// Tiles in a stream's rectangle.
inline constexpr std::uint64_t kMaxRectangleTiles = 65'536;
// Points in one call that samples heights, and the tiles that they lie on.
inline constexpr int kMaxSamplePoints = 8'192;
inline constexpr std::size_t kMaxSampleTiles = 256;

}  // namespace thalweg::wire
