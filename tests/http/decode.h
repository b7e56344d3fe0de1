// What callers do with compressed answers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/http/content_coding.h"

namespace thalweg::http {

// The text of so many bytes that was coded, by the libraries; empty when it is not that.
std::string Decode(std::string_view coded, Coding coding, std::size_t bytes);

}  // namespace thalweg::http
