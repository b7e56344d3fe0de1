// The limits of messages and calls, as session.proto and terrain.proto state them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/strings/ascii.h"

namespace thalweg::wire {

// The names that worlds and nodes of their noise may have.
inline constexpr std::size_t kMaxNameBytes = 64;

// Whether a name has 1 to kMaxNameBytes lower-case letters, digits and hyphens.
inline bool IsWorldName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && std::ranges::all_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return absl::ascii_islower(byte) || absl::ascii_isdigit(byte) || c == '-';
  });
}

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
