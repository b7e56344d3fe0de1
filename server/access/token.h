// Bearer tokens, and the hashes of them that the server stores.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::access {

// The SHA-256 of a token, 32 bytes. Needs no salt and no slow hash: a token has 256 random bits,
// too many to try.
using TokenHash = std::string;

// A new token: "thalweg_" and 32 random bytes in base64url. Aborts if the system has no randomness.
std::string MakeToken();

TokenHash HashOf(std::string_view token);

// Whether two hashes are equal, in a time that does not depend on their bytes.
bool SameHash(const TokenHash& a, const TokenHash& b);

}  // namespace thalweg::access
