// What the handlers of routes get: the parts of the server, and the request.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "server/calls/admission.h"
#include "server/calls/engine.h"
#include "server/http/connection.h"
#include "server/http/content_coding.h"
#include "server/http/exchange.h"
#include "server/http/http_options.h"
#include "server/http/response.h"
#include "server/http/router.h"
#include "server/http/target.h"
#include "server/raster/raster_service.h"
#include "server/sharing/lru_cache.h"

namespace thalweg::http {

// The texts of documents. Each is printed once, and compressed once. Keeps a limited number of
// bytes of each; the least recently used texts are dropped first. Thread-safe.
class CodedTexts {
 public:
  explicit CodedTexts(std::size_t budget_bytes) : printed_(budget_bytes), coded_(budget_bytes) {}

  // The text of what a key stands for, from memory or printed now. Errors are not kept.
  absl::StatusOr<Body> Printed(const std::string& key,
                               absl::FunctionRef<absl::StatusOr<std::string>()> print);

  // The text in this coding, from memory or compressed now.
  Body Get(const std::string& text, Coding coding);
  // As Get, but null if the text must be compressed first.
  Body Find(const std::string& text, Coding coding);

  // How many texts were compressed.
  std::uint64_t made() const { return made_; }

 private:
  sharing::LruCache<std::string, Body> printed_;
  // The key is the whole text: callers choose parts of texts, and could find two with equal hashes.
  sharing::LruCache<std::string, Body> coded_;
  std::atomic<std::uint64_t> made_ = 0;
};

// Not owned; all of it must outlive the server.
struct Site {
  calls::Engine engine;
  raster::RasterService* rasters = nullptr;
  const HttpOptions* options = nullptr;
  // Returns the metrics in Prometheus's text form.
  std::function<std::string()> metrics;
  ConnectionCounters* connections = nullptr;
  // Keeps compressed documents.
  CodedTexts* coded = nullptr;
};

using ExchangePointer = std::shared_ptr<Exchange>;
using ParameterList = std::vector<std::pair<std::string, std::string>>;

// A request that a route has. Handlers that answer later keep a copy.
struct Request {
  const Site& site;
  const calls::CallGate& gate;
  ExchangePointer exchange;
  PathValues path;
  ParameterList parameters;
};

}  // namespace thalweg::http
