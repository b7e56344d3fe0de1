// What the handlers of routes get: the parts of the server, and the request.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/calls/admission.h"
#include "server/calls/engine.h"
#include "server/http/coded_texts.h"
#include "server/http/connection_counters.h"
#include "server/http/exchange.h"
#include "server/http/http_options.h"
#include "server/http/router.h"
#include "server/http/target.h"
#include "server/raster/raster_service.h"

namespace thalweg::http {

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
