#include "server/access/token.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>
#include <cstdlib>

#include "absl/strings/escaping.h"
#include "proto/wire/sha256.h"

namespace thalweg::access {

std::string MakeToken() {
  std::array<unsigned char, 32> random;
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) std::abort();
  return "thalweg_" + absl::WebSafeBase64Escape(absl::string_view(
                          reinterpret_cast<const char*>(random.data()), random.size()));
}

TokenHash HashOf(std::string_view token) { return wire::Sha256(token); }

bool SameHash(const TokenHash& a, const TokenHash& b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace thalweg::access
