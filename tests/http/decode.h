// Decodes compressed answers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/http/content_coding.h"

namespace thalweg::http {

// The text, decoded by zlib or zstd. Empty if it does not have `bytes` bytes.
std::string Decode(std::string_view coded, Coding coding, std::size_t bytes);

}  // namespace thalweg::http
