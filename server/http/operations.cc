#include <utility>

#include "server/http/handlers.h"

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

void HandleHealth(const Request& request) {
  request.exchange->Answer(TextOf("ok\n", "text/plain; charset=utf-8"));
}

void HandleReady(const Request& request) {
  if (!request.gate.is_open()) {
    return request.exchange->Fail(absl::UnavailableError("the server is stopping"));
  }
  request.exchange->Answer(TextOf("ready\n", "text/plain; charset=utf-8"));
}

void HandleMetrics(const Request& request) {
  request.exchange->Answer(
      TextOf(request.site.metrics(), "text/plain; version=0.0.4; charset=utf-8"));
}

}  // namespace thalweg::http
