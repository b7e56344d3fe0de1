// Errors as HTTP answers: problem documents (RFC 9457).
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/http/response.h"

namespace thalweg::http {

// The HTTP code for an error: 404 for missing things and coordinates out of range, 400 for invalid
// requests, and so on.
int CodeOf(const absl::Status& status);

// The answer to a failed call with this id. Has Retry-After if the error has a delay, and
// WWW-Authenticate if a token is missing or unknown.
Response ProblemOf(const absl::Status& status, const std::string& call_id);

// As above, with a code that no absl::Status has: 405, 413, 415, 431.
Response ProblemOf(int code, const std::string& detail, const std::string& call_id);

}  // namespace thalweg::http
