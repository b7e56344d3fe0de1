// What worlds and the nodes of their noise may be called.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"

namespace thalweg::wire {

inline constexpr std::size_t kMaxNameBytes = 64;

// Lower-case letters, digits and hyphens: one at least.
inline bool IsWorldName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && std::ranges::all_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return absl::ascii_islower(byte) || absl::ascii_isdigit(byte) || c == '-';
  });
}

}  // namespace thalweg::wire
