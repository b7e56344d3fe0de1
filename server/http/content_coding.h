// Compressed answers, for callers that can read them.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::http {

enum class Coding { kIdentity, kGzip, kZstd };
inline constexpr int kCodingCount = 3;

// The best of those that a value of Accept-Encoding allows: zstd, gzip, none.
Coding CodingOf(std::string_view accept_encoding);

// Its name in Content-Encoding; empty for none.
std::string_view NameOf(Coding coding);

// How hard to compress: kQuick while a caller waits, kBest in the build.
enum class Effort { kQuick, kBest };

// The text so coded. Equal texts give equal bytes.
std::string Encode(const std::string& text, Coding coding, Effort effort);

}  // namespace thalweg::http
