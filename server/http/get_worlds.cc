#include "server/http/get_worlds.h"

#include <limits>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/calls/world_page.h"
#include "server/http/document.h"
#include "server/http/parameters.h"
#include "server/http/world_document.h"

namespace thalweg::http {
namespace {

absl::StatusOr<std::int32_t> ParseSize(const std::string* text) {
  if (text == nullptr) return 0;
  const auto size = ParseDecimal(*text);
  if (size && *size >= 0 && *size <= std::numeric_limits<std::int32_t>::max()) {
    return static_cast<std::int32_t>(*size);
  }
  return absl::InvalidArgumentError(absl::StrCat("invalid page_size: expected 0 to ",
                                                 calls::kMaxPageSize, ", got '",
                                                 absl::CHexEscape(text->substr(0, 32)), "'"));
}

absl::StatusOr<v1::WorldList> ListOf(const world::WorldLibrary& worlds, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters,
                           Parameters::Parse(list, {"page_size", "page_token"}));
  const std::string* const size_text = parameters.Find("page_size");
  const std::string* const token = parameters.Find("page_token");
  THALWEG_ASSIGN_OR_RETURN(const std::int32_t size, ParseSize(size_text));
  THALWEG_ASSIGN_OR_RETURN(calls::WorldPage page,
                           calls::PageOf(worlds, size, token == nullptr ? "" : *token));
  v1::WorldList document;
  for (const auto& world : page.worlds) *document.add_worlds() = SummaryOf(*world);
  if (page.next_token.empty()) return document;
  document.set_next(absl::StrCat("/v1/worlds?",
                                 size_text == nullptr ? "" : absl::StrCat("page_size=", size, "&"),
                                 "page_token=", page.next_token));
  document.set_next_page_token(std::move(page.next_token));
  return document;
}

}  // namespace

void HandleGetWorlds(const Site& site, Exchange& exchange, const ParameterList& parameters) {
  const auto list = ListOf(*site.engine.worlds, parameters);
  if (!list.ok()) return exchange.Fail(list.status());
  // Not cached, since worlds are created and deleted.
  AnswerDocument(site, *list, "no-cache", exchange);
}

}  // namespace thalweg::http
