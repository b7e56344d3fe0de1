// The names that worlds and nodes of their noise may have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"

namespace thalweg::wire {

inline constexpr std::size_t kMaxNameBytes = 64;

// Whether a name has 1 to kMaxNameBytes lower-case letters, digits and hyphens.
inline bool IsWorldName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && std::ranges::all_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return absl::ascii_islower(byte) || absl::ascii_isdigit(byte) || c == '-';
  });
}

}  // namespace thalweg::wire
