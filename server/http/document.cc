#include "server/http/document.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "server/http/caching.h"
#include "server/http/content_coding.h"
#include "server/http/find_world.h"
#include "server/http/own_url.h"
#include "server/http/parameters.h"

namespace thalweg::http {
namespace {

// The min size of a text that is worth compressing.
constexpr std::size_t kMinCodedBytes = 512;

}  // namespace

void AnswerText(const Site& site, const std::string& text, std::string content_type,
                std::string_view cache_control, std::string headers, Exchange& exchange) {
  const Coding coding = text.size() < kMinCodedBytes ? Coding::kIdentity
                                                     : CodingOf(exchange.Header("Accept-Encoding"));
  // Each coding has its own validator, since the bytes differ.
  const std::string etag = EtagOf(absl::StrCat(static_cast<int>(coding), " ", text));
  headers += "Vary: Accept-Encoding\r\n";
  if (AnswerIfKnown(exchange, etag, cache_control, headers)) return;
  Response response{.status = 200,
                    .content_type = std::move(content_type),
                    .headers = std::move(headers),
                    .body = nullptr};
  if (coding == Coding::kIdentity) {
    response.body = BodyOf(text);
  } else {
    response.Add("Content-Encoding", NameOf(coding));
    // Nothing is compressed for a HEAD; its length may be left out (RFC 9110, 9.3.2).
    response.body =
        exchange.is_head() ? site.coded->Find(text, coding) : site.coded->Get(text, coding);
    response.has_length = response.body != nullptr;
  }
  AddCaching(etag, cache_control, response);
  exchange.Answer(std::move(response));
}

void AnswerDocument(const Site& site, const google::protobuf::Message& message,
                    std::string_view cache_control, Exchange& exchange) {
  const auto text = text::ToJson(message);
  if (!text.ok()) return exchange.Fail(text.status());
  AnswerText(site, *text, "application/json", cache_control, "", exchange);
}

bool CheckJsonBody(Exchange& exchange) {
  const std::string_view type = exchange.Header("Content-Type");
  const absl::string_view essence =
      absl::string_view(type.data(), type.size()).substr(0, std::min(type.find(';'), type.size()));
  if (absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(essence), "application/json")) return true;
  const absl::Status invalid = InvalidText("Content-Type", "application/json", essence);
  exchange.Fail(415, std::string(invalid.message()));
  return false;
}

void AnswerOfWorld(const Request& request, PrintOfWorld print) {
  FindWorld(request.site, request.path.world, request.exchange,
            [request = request, print](const world::WorldPointer& world) {
              const Site& site = request.site;
              Exchange& exchange = *request.exchange;
              const BaseUrl base = BaseUrlOf(site, exchange);
              const std::string key = absl::StrCat(
                  world->serial(), " ", std::string(exchange.target()), " ", base.value_or(""));
              const auto json =
                  site.coded->Printed(key, [&] { return print(request, *world, base); });
              if (!json.ok()) return exchange.Fail(json.status());
              // The id does not cover name and description, so this may change for one id.
              AnswerText(site, **json, "application/json", "no-cache", "", exchange);
            });
}

}  // namespace thalweg::http
