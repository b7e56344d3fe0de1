// Clients of the C interface, and their options.
#include "thalweg/client.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/src/c/interface.h"
#include "proto/wire/invalid.h"
#include "thalweg/thalweg.h"

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
    return absl::InvalidArgumentError(
        "options sets fields that this library lacks: use a newer library, or leave them 0");
  }
  thalweg_client_options own{};
  std::memcpy(&own, bytes, std::min(sizeof(own), options.size));
  return own;
}

// Reads a client's options, whichever version of the header the program was built with. Null gives
// the defaults. INVALID_ARGUMENT if the size is invalid, or if fields are set that this library
// does not know.
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

}  // namespace
}  // namespace thalweg

thalweg_status thalweg_client_open(const char* address, thalweg_client** client) {
  return thalweg_client_open_with(address, nullptr, client);
}

thalweg_status thalweg_client_open_with(const char* address, const thalweg_client_options* options,
                                        thalweg_client** client) {
  if (address == nullptr || client == nullptr) return thalweg::Refuse(__func__);
  auto chosen = thalweg::FromC(options);
  if (!chosen.ok()) return thalweg::Return(chosen.status());
  auto connected = thalweg::Client::Connect(address, *std::move(chosen));
  if (!connected.ok()) return thalweg::Return(connected.status());
  *client = new thalweg_client{*std::move(connected)};
  return thalweg::Return(absl::OkStatus());
}

void thalweg_client_close(thalweg_client* client) { delete client; }

thalweg_status thalweg_client_sample_heights(thalweg_client* client, const char* world,
                                             int32_t level, const double* east_south_m,
                                             size_t count, int32_t* heights) {
  if (client == nullptr || world == nullptr || (count > 0 && (!east_south_m || !heights))) {
    return thalweg::Refuse(__func__);
  }
  std::vector<thalweg::GroundPoint> points(count);
  for (size_t n = 0; n < count; ++n) {
    points[n] = {.east_m = east_south_m[2 * n], .south_m = east_south_m[2 * n + 1]};
  }
  const auto sampled = client->client->SampleHeights(world, level, points);
  if (sampled.ok()) std::copy(sampled->begin(), sampled->end(), heights);
  return thalweg::Return(sampled.status());
}

thalweg_status thalweg_client_sample_planet_heights(thalweg_client* client, const char* world,
                                                    int32_t level, const double* lat_long_deg,
                                                    size_t count, int32_t* heights) {
  if (client == nullptr || world == nullptr || (count > 0 && (!lat_long_deg || !heights))) {
    return thalweg::Refuse(__func__);
  }
  std::vector<thalweg::LatLong> points(count);
  for (size_t n = 0; n < count; ++n) {
    points[n] = {.latitude = lat_long_deg[2 * n], .longitude = lat_long_deg[2 * n + 1]};
  }
  const auto sampled = client->client->SamplePlanetHeights(world, level, points);
  if (sampled.ok()) std::copy(sampled->begin(), sampled->end(), heights);
  return thalweg::Return(sampled.status());
}
