// Decodes compressed answers, as callers do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/http/content_coding.h"

namespace thalweg::http {

// The decoded text of the given size, by the libraries; empty if it differs.
std::string Decode(std::string_view coded, Coding coding, std::size_t bytes);

}  // namespace thalweg::http
