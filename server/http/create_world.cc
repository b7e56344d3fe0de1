#include "server/http/create_world.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/text/world_text.h"
#include "proto/wire/status_macros.h"
#include "server/calls/background.h"
#include "server/http/document.h"
#include "server/http/parameters.h"
#include "server/http/world_document.h"

namespace thalweg::http {
namespace {

using Creation = world::WorldLibrary::Creation;

struct Order {
  v1::WorldSpec spec;
  bool keep = false;
};

absl::StatusOr<Order> Parse(const Exchange& exchange, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(list, {"keep"}));
  Order order;
  if (const std::string* const keep = parameters.Find("keep")) {
    if (*keep != "true" && *keep != "false") {
      return InvalidText("keep", "true or false", *keep);
    }
    order.keep = *keep == "true";
  }
  THALWEG_ASSIGN_OR_RETURN(order.spec, text::WorldFromJson(exchange.message().body()));
  return order;
}

void Answer(const absl::StatusOr<Creation>& creation, const std::string& base, Exchange& exchange) {
  if (!creation.ok()) return exchange.Fail(creation.status());
  const v1::WorldDocument document = DocumentOf(*creation->world, base);
  Response response{.status = creation->is_new ? 201 : 200,
                    .content_type = "application/json",
                    .headers = "",
                    .body = BodyOf(text::ToJson(document))};
  response.Add("Cache-Control", "no-store").Add("Location", document.world().url());
  exchange.Answer(std::move(response));
}

}  // namespace

void HandleCreateWorld(const Site& site, const ExchangePointer& exchange,
                       const ParameterList& parameters) {
  // Browsers let a page of any origin send text without a preflight, but not JSON.
  const std::string_view type = exchange->Header("Content-Type");
  const absl::string_view essence =
      absl::string_view(type.data(), type.size()).substr(0, std::min(type.find(';'), type.size()));
  if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(essence), "application/json")) {
    return exchange->Fail(415,
                          absl::StrCat("invalid Content-Type: expected application/json, got '",
                                       absl::Utf8SafeCHexEscape(essence), "'"));
  }
  auto order = Parse(*exchange, parameters);
  if (!order.ok()) return exchange->Fail(order.status());
  auto base = BaseUrlOf(site, *exchange);
  if (!base.ok()) return exchange->Fail(base.status());
  // Create compiles the world, and may write its file.
  const absl::Status posted = calls::RunInBackground(
      site.engine.workers->keeper, "create world",
      [worlds = site.engine.worlds, exchange, order = *std::move(order)] {
        return worlds->Create(order.spec, order.keep, exchange->admission().Owner());
      },
      [exchange, base = *std::move(base)](auto creation) {
        exchange->Run([exchange, creation = std::move(creation), base] {
          Answer(creation, base, *exchange);
        });
      });
  if (!posted.ok()) exchange->Fail(posted);
}

}  // namespace thalweg::http
