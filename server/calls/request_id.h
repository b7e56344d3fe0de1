// The id of a call, for logs and answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thalweg::calls {

// The key in gRPC's metadata and the header in HTTP, in requests and in answers.
inline constexpr char kRequestIdKey[] = "x-request-id";

// Whether a caller's id may be used: 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'. Others
// could break the lines of a log.
bool IsRequestId(std::string_view id);

// A new id: 16 random hexadecimal digits.
std::string MakeRequestId();

// The caller's id if it has one that may be used, else a new one.
std::string RequestIdOf(const std::optional<std::string_view>& callers);

}  // namespace thalweg::calls
