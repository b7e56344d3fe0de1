#include "server/cache/mac.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace thalweg::cache {
namespace {

struct FreeContext {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

void CheckOrAbort(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "record keys: OpenSSL: %s\n", what);
  std::abort();
}

// Fetched once and never freed: fetching takes longer than the code of a small tile.
EVP_MAC* Blake2b() {
  static EVP_MAC* const algorithm = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_BLAKE2BMAC, nullptr);
  CheckOrAbort(algorithm != nullptr, "no BLAKE2b");
  return algorithm;
}

bool Update(EVP_MAC_CTX* context, std::string_view bytes) {
  return EVP_MAC_update(context, reinterpret_cast<const unsigned char*>(bytes.data()),
                        bytes.size()) == 1;
}

}  // namespace

MacKey RandomMacKey() {
  MacKey key;
  CheckOrAbort(RAND_bytes(key.data(), static_cast<int>(key.size())) == 1, "no randomness");
  return key;
}

Mac MacOf(const MacKey& key, std::string_view head, std::string_view body) {
  const std::unique_ptr<EVP_MAC_CTX, FreeContext> context(EVP_MAC_CTX_new(Blake2b()));
  std::size_t size = kMacBytes;
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                   OSSL_PARAM_construct_end()};
  Mac mac;
  std::size_t written = 0;
  CheckOrAbort(context != nullptr &&
                   EVP_MAC_init(context.get(), key.data(), key.size(), parameters) == 1 &&
                   Update(context.get(), head) && Update(context.get(), body) &&
                   EVP_MAC_final(context.get(), mac.data(), &written, mac.size()) == 1 &&
                   written == mac.size(),
               "BLAKE2b failed");
  return mac;
}

bool SameMac(const Mac& a, const Mac& b) {
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace thalweg::cache
