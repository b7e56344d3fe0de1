// Validators. They identify an answer's bytes before they are made.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::http {

// A strong validator, with quotes, from a text that decides an answer's bytes: 128 bits of XXH3.
std::string EtagOf(std::string_view text);

// Whether a value of If-None-Match contains the validator, or is "*". A weak comparison (RFC 9110,
// 13.1.2).
bool Matches(std::string_view if_none_match, std::string_view etag);

}  // namespace thalweg::http
