#include "server/http/operations.h"

#include <utility>

namespace thalweg::http {
namespace {

Response TextOf(std::string text, std::string content_type) {
  Response response{.status = 200,
                    .content_type = std::move(content_type),
                    .headers = "",
                    .body = BodyOf(std::move(text))};
  response.Add("Cache-Control", "no-store");
  return response;
}

}  // namespace

void HandleHealth(Exchange& exchange) {
  exchange.Answer(TextOf("ok\n", "text/plain; charset=utf-8"));
}

void HandleReady(const calls::CallGate& gate, Exchange& exchange) {
  if (!gate.is_open()) return exchange.Fail(absl::UnavailableError("the server is stopping"));
  exchange.Answer(TextOf("ready\n", "text/plain; charset=utf-8"));
}

void HandleMetrics(const Site& site, Exchange& exchange) {
  exchange.Answer(TextOf(site.metrics(), "text/plain; version=0.0.4; charset=utf-8"));
}

}  // namespace thalweg::http
