// A little that inflates to much.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::neighbour {

// So many zeros, compressed a thousandfold, as gzip (RFC 1952).
std::string GzipOfZeros(std::size_t count);

}  // namespace thalweg::neighbour
