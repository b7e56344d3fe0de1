// Clients of the C interface.
#include "thalweg/client.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "client/src/c/client_options.h"
#include "client/src/c/interface.h"

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
