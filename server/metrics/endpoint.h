// Where metrics are read: GET /metrics over HTTP.
#pragma once

#include <prometheus/collectable.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace prometheus {
class Exposer;
}  // namespace prometheus

namespace thalweg::metrics {

using Collectables = std::vector<std::shared_ptr<prometheus::Collectable>>;

// Answers until it is destroyed.
class Endpoint {
 public:
  // Listens on HOST:PORT, where HOST is an address; port 0 picks a free one. INVALID_ARGUMENT if it
  // is no such thing, UNAVAILABLE when it can't be had.
  static absl::StatusOr<std::unique_ptr<Endpoint>> Start(const std::string& address,
                                                         Collectables collectables);
  ~Endpoint();

  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // The port that it listens on.
  int port() const;

 private:
  Endpoint(std::string host, Collectables collectables);

  const std::string host_;
  const Collectables collectables_;
  // Gone before what it reads.
  std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace thalweg::metrics
