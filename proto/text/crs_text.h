// Coordinate reference systems as text.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::text {

inline constexpr std::size_t kLongestCrs = 16384;

// Whether it is an authority's code, "EPSG:32611", or one line of WKT, max kLongestCrs bytes. What
// reads such texts takes names of files and addresses too, which are neither.
bool IsCrs(const std::string& text);

}  // namespace thalweg::text
