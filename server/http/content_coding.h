// Compressed answers, for callers that accept them.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::http {

// A strong validator, with quotes, from a text that decides an answer's bytes: 128 bits of XXH3.
std::string EtagOf(std::string_view text);

// Whether a value of If-None-Match contains the validator, or is "*". A weak comparison (RFC 9110,
// 13.1.2).
bool Matches(std::string_view if_none_match, std::string_view etag);

enum class Coding { kIdentity, kGzip, kZstd };
inline constexpr int kCodingCount = 3;

// The best coding that a value of Accept-Encoding allows: zstd, then gzip, then none.
Coding CodingOf(std::string_view accept_encoding);

// The coding's name in Content-Encoding; empty for none.
std::string_view NameOf(Coding coding);

// How hard to compress: kQuick while a caller waits, kBest in the build.
enum class Effort { kQuick, kBest };

// The text in this coding. Equal texts give equal bytes.
std::string Encode(const std::string& text, Coding coding, Effort effort);

}  // namespace thalweg::http
