#include "server/metrics/endpoint.h"

#include <prometheus/exposer.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "absl/strings/ascii.h"
#include "proto/wire/invalid.h"
#include "server/metrics/knock.h"

namespace thalweg::metrics {
namespace {

constexpr std::chrono::milliseconds kKnockPause{5};

// What the HTTP server takes beyond HOST:PORT (lists of addresses, suffixes of ports) is not meant.
absl::Status CheckAddress(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  const auto is_digit = [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); };
  if (colon != std::string::npos && colon > 0 && colon + 1 < address.size() &&
      std::all_of(address.begin() + static_cast<std::ptrdiff_t>(colon) + 1, address.end(),
                  is_digit) &&
      address.find(',') == std::string::npos) {
    return absl::OkStatus();
  }
  return wire::Invalid("metrics_listen", "HOST:PORT", absl::StrCat("'", address, "'"));
}

}  // namespace

Endpoint::Endpoint(std::string host, Collectables collectables)
    : host_(std::move(host)), collectables_(std::move(collectables)) {}

Endpoint::~Endpoint() {
  if (exposer_ == nullptr) return;
  const int port = this->port();
  std::atomic<bool> stopped = false;
  std::thread stop([this, &stopped] {
    exposer_.reset();
    stopped = true;
  });
  // Its thread looks whether it shall stop when its wait for connections ends: after two seconds,
  // or with a connection.
  while (!stopped) {
    Knock(host_, port);
    std::this_thread::sleep_for(kKnockPause);
  }
  stop.join();
}

absl::StatusOr<std::unique_ptr<Endpoint>> Endpoint::Start(const std::string& address,
                                                          Collectables collectables) {
  if (absl::Status wrong = CheckAddress(address); !wrong.ok()) return wrong;
  std::unique_ptr<Endpoint> endpoint(
      new Endpoint(address.substr(0, address.rfind(':')), std::move(collectables)));
  // The library's errors are exceptions of its HTTP server.
  try {
    endpoint->exposer_ = std::make_unique<prometheus::Exposer>(address);
  } catch (const std::exception&) {
    return absl::UnavailableError(
        absl::StrCat("serve metrics on ", address,
                     ": expected a free HOST:PORT of this machine, got another, or one in use"));
  }
  for (const auto& collectable : endpoint->collectables_) {
    endpoint->exposer_->RegisterCollectable(collectable);
  }
  return endpoint;
}

int Endpoint::port() const { return exposer_->GetListeningPorts().front(); }

}  // namespace thalweg::metrics
