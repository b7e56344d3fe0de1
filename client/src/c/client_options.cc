#include "client/src/c/client_options.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "proto/wire/invalid.h"

namespace thalweg {
namespace {

std::string TextOf(const char* text) { return text == nullptr ? "" : text; }

void Set(std::uint32_t value_ms, std::chrono::milliseconds& time) {
  if (value_ms > 0) time = std::chrono::milliseconds(value_ms);
}

// Copies the options to this library's version. Fields that an older program lacks become 0. Fields
// that this library lacks must be 0.
absl::StatusOr<thalweg_client_options> Copy(const thalweg_client_options& options) {
  // A program that sets its size never has a larger one.
  constexpr std::size_t kMax = 4'096;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&options);
  if (options.size < sizeof(options.size) || options.size > kMax) {
    return wire::Invalid("options.size", "sizeof(thalweg_client_options)", options.size);
  }
  if (std::any_of(bytes + std::min(sizeof(options), options.size), bytes + options.size,
                  [](unsigned char byte) { return byte != 0; })) {
    return wire::Invalid("options", "0 in fields that this library lacks",
                         "other values: use a newer library");
  }
  thalweg_client_options own{};
  std::memcpy(&own, bytes, std::min(sizeof(own), options.size));
  return own;
}

}  // namespace

absl::StatusOr<ClientOptions> FromC(const thalweg_client_options* options) {
  ClientOptions own;
  if (options == nullptr) return own;
  const absl::StatusOr<thalweg_client_options> given = Copy(*options);
  if (!given.ok()) return given.status();
  TlsOptions tls{.root_certificates = TextOf(given->root_certificates),
                 .certificate = TextOf(given->certificate),
                 .key = TextOf(given->key),
                 .server_name = TextOf(given->server_name)};
  if (given->tls != 0 || given->root_certificates != nullptr || given->certificate != nullptr ||
      given->key != nullptr || given->server_name != nullptr) {
    own.tls = std::move(tls);
  }
  own.token = TextOf(given->token);
  own.token_in_clear = given->token_in_clear != 0;
  Set(given->connect_timeout_ms, own.connect_timeout);
  Set(given->call_timeout_ms, own.call_timeout);
  Set(given->stream_timeout_ms, own.stream_timeout);
  Set(given->max_retry_delay_ms, own.max_retry_delay);
  if (given->max_attempts > 0) own.max_attempts = given->max_attempts;
  return own;
}

}  // namespace thalweg
