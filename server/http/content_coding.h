// Compressed answers, for callers that accept them.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::http {

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
