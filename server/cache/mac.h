// A message authentication code. It proves that bytes were made with the key.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace thalweg::cache {

inline constexpr std::size_t kMacKeyBytes = 32;
inline constexpr std::size_t kMacBytes = 32;

using MacKey = std::array<unsigned char, kMacKeyBytes>;
using Mac = std::array<unsigned char, kMacBytes>;

// The keys of a cache. Both verify, so that a key can be replaced without losing the cache.
struct MacKeys {
  MacKey signing{};
  std::optional<MacKey> also_accepted = {};
};

// 32 random bytes. Aborts if the system has no randomness.
MacKey RandomMacKey();

// Keyed BLAKE2b (RFC 7693) with 256 bits, of the head followed by the body. Aborts if OpenSSL lacks
// BLAKE2b.
Mac MacOf(const MacKey& key, std::string_view head, std::string_view body);

// Whether both are equal, in a time that does not depend on their bytes.
bool SameMac(const Mac& a, const Mac& b);

}  // namespace thalweg::cache
