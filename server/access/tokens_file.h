// The file that says which tokens are let in, and what each may do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/access/caller.h"

namespace thalweg::access {

struct TokensFile {
  std::vector<Grant> grants;
  // For callers without a token; absent: they are not let in.
  std::optional<Grant> anonymous;
};

// Reads the text of such a file (tokens.proto). INVALID_ARGUMENT names the line of what is unknown
// or wrong, never a token.
absl::StatusOr<TokensFile> ParseTokens(const std::string& text);

// The line of the file for a grant.
std::string TokenLine(const Grant& grant);

}  // namespace thalweg::access
