#include "server/access/token.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <array>
#include <cstdlib>

#include "absl/strings/escaping.h"

namespace thalweg::access {

std::string MakeToken() {
  std::array<unsigned char, 32> random;
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) std::abort();
  return "thalweg_" + absl::WebSafeBase64Escape(absl::string_view(
                          reinterpret_cast<const char*>(random.data()), random.size()));
}

TokenHash HashOf(std::string_view token) {
  TokenHash hash(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(),
         reinterpret_cast<unsigned char*>(hash.data()));
  return hash;
}

bool SameHash(const TokenHash& a, const TokenHash& b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace thalweg::access
