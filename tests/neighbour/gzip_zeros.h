// Few bytes that inflate to many.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::neighbour {

// This many zeros as gzip (RFC 1952), in about a thousandth of the bytes.
std::string GzipOfZeros(std::size_t count);

}  // namespace thalweg::neighbour
