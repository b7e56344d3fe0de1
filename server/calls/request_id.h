// The id of a call, in logs and answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thalweg::calls {

// The key of gRPC's metadata and the header of HTTP, of requests and of answers.
inline constexpr char kRequestIdKey[] = "x-request-id";

// Whether a caller's id may be used: 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'. Other characters
// could break a log's lines.
bool IsRequestId(std::string_view id);

// A new one: 16 hexadecimal digits at random.
std::string MakeRequestId();

// The caller's, if there is one that may be used, else a new one.
std::string RequestIdOf(const std::optional<std::string_view>& callers);

}  // namespace thalweg::calls
