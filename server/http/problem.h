// Errors as HTTP tells them: problem documents (RFC 9457).
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/http/response.h"

namespace thalweg::http {

// The status code of an error: 404 for what is not there, coordinates out of range among it, 400
// for what is wrong, and so on.
int CodeOf(const absl::Status& status);

// The answer to a call of this id that failed. Says when to try again, if the error does, and asks
// for a token, if there is none.
Response ProblemOf(const absl::Status& status, const std::string& call_id);

// The same with a code that no status of ours has: 405, 413, 415, 431.
Response ProblemOf(int code, const std::string& detail, const std::string& call_id);

}  // namespace thalweg::http
