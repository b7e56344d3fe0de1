// Coordinate reference systems as text.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::text {

inline constexpr std::size_t kLongestCrs = 16384;

// Whether a text is an authority's code, "EPSG:32611", or one line of WKT, of at most kLongestCrs
// bytes. Readers of such texts also take file names and addresses, which this refuses.
bool IsCrs(const std::string& text);

}  // namespace thalweg::text
