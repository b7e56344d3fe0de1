// Bearer tokens, and the hashes that the server keeps of them.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::access {

// The SHA-256 of a token, 32 bytes. No salt and no slow hash: a token has 256 random bits, too many
// to try out.
using TokenHash = std::string;

// A new token: "thalweg_" and 32 random bytes in base64url. Aborts when the system has no
// randomness.
std::string MakeToken();

TokenHash HashOf(std::string_view token);

// Whether two hashes are equal, in a time that does not depend on where they differ.
bool SameHash(const TokenHash& a, const TokenHash& b);

}  // namespace thalweg::access
