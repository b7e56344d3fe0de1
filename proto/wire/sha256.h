// SHA-256 (FIPS 180-4).
#pragma once

#include <openssl/sha.h>

#include <string>
#include <string_view>

namespace thalweg::wire {

// Returns the 32 bytes. Callers must link OpenSSL::Crypto.
inline std::string Sha256(std::string_view text) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

}  // namespace thalweg::wire
