// How much a message or a call may ask for, as session.proto and terrain.proto say.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg::wire {

// Keys that a message of a session names.
inline constexpr int kMaxKeysPerMessage = 4'096;
// Tiles that a session's client has, and tiles that it has asked for by name.
inline constexpr std::size_t kMaxHadTiles = 131'072;
inline constexpr std::size_t kMaxWantedTiles = 65'536;
// Tiles of a stream's rectangle.
inline constexpr std::uint64_t kMaxRectangleTiles = 65'536;
// Points at which one call asks for heights, and the tiles that they lie on.
inline constexpr int kMaxSamplePoints = 8'192;
inline constexpr std::size_t kMaxSampleTiles = 256;

}  // namespace thalweg::wire
