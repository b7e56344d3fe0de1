#include "server/cache/tile_record.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <xxhash.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

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

constexpr std::string_view kMagic = "thlwgtl2";
constexpr std::size_t kLengthAt = 60;
constexpr std::size_t kMacAt = kLengthAt + sizeof(std::uint64_t);
static_assert(kMacAt + kMacBytes == kRecordHeaderBytes);

// What the code proves besides the tile's bytes.
using Head = std::array<char, kMacAt>;

// Writes a number, the lowest byte first. Returns the position after it.
template <typename Number>
char* Put(char* at, Number number) {
  const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
  for (std::size_t k = 0; k < sizeof(Number); ++k) {
    *at++ = static_cast<char>(static_cast<unsigned char>(bits >> (8 * k)));
  }
  return at;
}

char* PutId(char* at, const TileId& id) {
  at = Put(at, id.world[0]);
  at = Put(at, id.world[1]);
  at = Put(at, id.key.face);
  at = Put(at, id.key.level);
  at = Put(at, id.key.x);
  at = Put(at, id.key.y);
  at = Put(at, id.layers);
  at = Put(at, id.precision);
  return Put(at, id.format);
}

Head HeadOf(const TileId& id, std::size_t length) {
  Head head;
  std::memcpy(head.data(), kMagic.data(), kMagic.size());
  char* const at = PutId(head.data() + kMagic.size(), id);
  Put(at, static_cast<std::uint64_t>(length));
  return head;
}

std::string_view View(const Head& head) { return {head.data(), head.size()}; }

bool Proves(const MacKey& key, const Mac& mac, const Head& head, std::string_view bytes) {
  return SameMac(mac, MacOf(key, View(head), bytes));
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

std::string RecordKey(const TileId& id) {
  const Head head = HeadOf(id, 0);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(head.data(), kLengthAt));
  return {reinterpret_cast<const char*>(canonical.digest), sizeof(canonical.digest)};
}

std::string EncodeRecord(const MacKeys& keys, const TileId& id, std::string_view bytes) {
  const Head head = HeadOf(id, bytes.size());
  const Mac mac = MacOf(keys.signing, View(head), bytes);
  std::string record;
  record.reserve(kRecordHeaderBytes + bytes.size());
  record.append(head.data(), head.size());
  record.append(reinterpret_cast<const char*>(mac.data()), mac.size());
  record.append(bytes);
  return record;
}

absl::StatusOr<TileBytes> DecodeRecord(const MacKeys& keys, const TileId& id,
                                       std::string_view record) {
  if (record.size() < kRecordHeaderBytes) {
    return absl::DataLossError("invalid tile record: shorter than its header");
  }
  const std::string_view bytes = record.substr(kRecordHeaderBytes);
  // The whole header except the code follows from the id and the length.
  const Head head = HeadOf(id, bytes.size());
  if (std::memcmp(record.data(), head.data(), head.size()) != 0) {
    return absl::DataLossError("invalid tile record: it has another tile or layout");
  }
  Mac mac;
  std::memcpy(mac.data(), record.data() + kMacAt, mac.size());
  if (!Proves(keys.signing, mac, head, bytes) &&
      !(keys.also_accepted && Proves(*keys.also_accepted, mac, head, bytes))) {
    return absl::DataLossError("invalid tile record: no key of this cache signed it");
  }
  return std::make_shared<const std::string>(bytes);
}

}  // namespace thalweg::cache
