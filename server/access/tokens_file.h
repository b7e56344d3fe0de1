// The file of the tokens that are let in, with their scopes and limits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/access/caller.h"

namespace thalweg::access {

struct TokensFile {
  std::vector<Grant> grants;
  // For callers without a token; absent if they are not let in.
  std::optional<Grant> anonymous;
};

// Parses the text of a tokens file (tokens.proto). INVALID_ARGUMENT names the line of an unknown or
// invalid field, never a token.
absl::StatusOr<TokensFile> ParseTokens(const std::string& text);

// The line of a tokens file for a grant.
std::string TokenLine(const Grant& grant);

}  // namespace thalweg::access
