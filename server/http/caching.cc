#include "server/http/caching.h"

#include <utility>

#include "server/http/content_coding.h"

namespace thalweg::http {

std::string_view CacheControlOf(std::string_view named, const world::World& world,
                                const Exchange& exchange) {
  const bool guarded = !exchange.admission().caller().grant().name.empty();
  if (named == world.hex_id()) {
    return guarded ? "private, max-age=31536000, immutable" : "public, max-age=31536000, immutable";
  }
  return guarded ? "private, max-age=60" : "public, max-age=60";
}

void AddCaching(std::string_view etag, std::string_view cache_control, Response& response) {
  response.Add("ETag", etag).Add("Cache-Control", cache_control);
}

bool AnswerIfKnown(Exchange& exchange, std::string_view etag, std::string_view cache_control,
                   std::string_view further_headers) {
  const std::string_view known = exchange.Header("If-None-Match");
  if (known.empty() || !Matches(known, etag)) return false;
  Response response{
      .status = 304, .content_type = "", .headers = std::string(further_headers), .body = nullptr};
  AddCaching(etag, cache_control, response);
  exchange.Answer(std::move(response));
  return true;
}

}  // namespace thalweg::http
