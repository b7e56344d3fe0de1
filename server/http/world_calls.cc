#include "server/http/world_calls.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "server/calls/worlds.h"
#include "server/http/document.h"
#include "server/http/handlers.h"
#include "server/http/own_url.h"
#include "server/http/parameters.h"
#include "server/tile/layers/tile_layers.h"

namespace thalweg::http {
namespace {

std::string PathOf(const world::World& world) {
  return absl::StrCat("/v1/worlds/", world.hex_id());
}

v1::LayerDocument LayerDocumentOf(v1::Layer layer) {
  const v1::LayerFacts& facts = wire::FactsOf(layer);
  v1::LayerDocument document;
  document.set_name(facts.name());
  document.set_unit(facts.unit());
  document.set_scale(facts.scale());
  if (facts.has_grey()) {
    document.set_png16_step(wire::GreyStepOf(facts));
    document.set_png16_offset(wire::GreyOffsetOf(facts));
  }
  return document;
}

absl::StatusOr<std::int32_t> ParsePageSize(const std::string* text) {
  if (text == nullptr) return 0;
  const auto size = ParseDecimal(*text);
  if (size && *size >= 0 && *size <= std::numeric_limits<std::int32_t>::max()) {
    return static_cast<std::int32_t>(*size);
  }
  return InvalidText("page_size", absl::StrCat("0 to ", calls::kMaxPageSize), *text);
}

// The URLs in the list begin with `prefix`.
absl::StatusOr<v1::WorldList> ListOf(const world::WorldLibrary& worlds, const std::string& prefix,
                                     const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters,
                           Parameters::Parse(list, {"page_size", "page_token"}));
  const std::string* const size_text = parameters.Find("page_size");
  const std::string* const token = parameters.Find("page_token");
  THALWEG_ASSIGN_OR_RETURN(const std::int32_t size, ParsePageSize(size_text));
  THALWEG_ASSIGN_OR_RETURN(calls::WorldPage page,
                           calls::PageOf(worlds, size, token == nullptr ? "" : *token));
  v1::WorldList document;
  for (const auto& world : page.worlds) *document.add_worlds() = SummaryOf(*world, prefix);
  if (page.next_token.empty()) return document;
  document.set_next(absl::StrCat(prefix, "/v1/worlds?",
                                 size_text == nullptr ? "" : absl::StrCat("page_size=", size, "&"),
                                 "page_token=", page.next_token));
  document.set_next_page_token(std::move(page.next_token));
  return document;
}

struct Order {
  v1::WorldSpec spec;
  world::WorldLibrary::CreateOptions options;
};

// A parameter that is true or false; absent: false.
absl::StatusOr<bool> FlagOf(const Parameters& parameters, const char* name) {
  const std::string* const text = parameters.Find(name);
  if (text == nullptr || *text == "false") return false;
  if (*text == "true") return true;
  return InvalidText(name, "true or false", *text);
}

absl::StatusOr<Order> ParseOrder(const Exchange& exchange, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters,
                           Parameters::Parse(list, {"keep", "replace"}));
  Order order;
  THALWEG_ASSIGN_OR_RETURN(order.options.keep, FlagOf(parameters, "keep"));
  THALWEG_ASSIGN_OR_RETURN(order.options.replace, FlagOf(parameters, "replace"));
  order.options.is_administrator = !exchange.admission().Deleter().has_value();
  THALWEG_ASSIGN_OR_RETURN(order.spec, text::WorldFromJson(exchange.message().body()));
  return order;
}

void AnswerCreated(const absl::StatusOr<world::WorldLibrary::Creation>& creation,
                   const std::string& base, Exchange& exchange) {
  if (!creation.ok()) return exchange.Fail(creation.status());
  const v1::WorldDocument document = DocumentOf(*creation->world, base);
  auto text = text::ToJson(document);
  if (!text.ok()) return exchange.Fail(text.status());
  Response response{.status = creation->is_new ? 201 : 200,
                    .content_type = "application/json",
                    .headers = "",
                    .body = BodyOf(*std::move(text))};
  response.Add("Cache-Control", "no-store").Add("Location", document.world().url());
  exchange.Answer(std::move(response));
}

void AnswerDeleted(const absl::Status& status, Exchange& exchange) {
  if (!status.ok()) return exchange.Fail(status);
  Response response{.status = 204, .content_type = "", .headers = "", .body = nullptr};
  response.Add("Cache-Control", "no-store");
  exchange.Answer(std::move(response));
}

}  // namespace

v1::WorldSummary SummaryOf(const world::World& world, const std::string& base) {
  v1::WorldSummary summary;
  summary.set_id(world.hex_id());
  summary.set_name(world.name());
  summary.set_description(world.spec().description());
  summary.set_levels(static_cast<std::uint32_t>(world.levels()));
  summary.set_cell_size_m(world.level(0).cell_size_m);
  summary.set_url(absl::StrCat(base, PathOf(world)));
  *summary.mutable_showplace() = world.spec().showplace();
  if (world.spec().has_sphere()) summary.set_radius_m(world.spec().sphere().radius_m());
  return summary;
}

v1::WorldDocument DocumentOf(const world::World& world, const std::string& base) {
  v1::WorldDocument document;
  *document.mutable_world() = SummaryOf(world, base);
  document.set_generator_version(world::kGeneratorVersion);
  for (const v1::Layer layer : tile::LayersOf(world.layers())) {
    *document.add_layers() = LayerDocumentOf(layer);
  }
  document.set_tile_cells(wire::kTileCells);
  document.set_max_vertex(static_cast<double>(wire::kMaxVertex));
  for (const std::int64_t cost : world.level_costs()) {
    document.add_level_costs(static_cast<double>(cost));
  }
  const bool is_planet = world.spec().has_sphere();
  document.set_tiles(absl::StrCat(base, PathOf(world), "/tiles/{level}/{x}/{y}.{ext}",
                                  is_planet ? "?face={face}" : ""));
  if (is_planet) {
    document.set_ground(absl::StrCat(base, PathOf(world), "/cesium/layer.json"));
    document.set_pictures(absl::StrCat(base, PathOf(world), "/globe/{picture}/tilejson.json"));
  } else {
    document.set_tilejson(absl::StrCat(base, PathOf(world), "/tilejson.json"));
  }
  *document.mutable_spec() = world.spec();
  document.set_has_lakes(world.has_lakes());
  return document;
}

void HandleGetWorlds(const Request& request) {
  Exchange& exchange = *request.exchange;
  const auto prefix = PathPrefixOf(request.site, exchange);
  if (!prefix.ok()) return exchange.Fail(prefix.status());
  const auto list = ListOf(*request.site.engine.worlds, *prefix, request.parameters);
  if (!list.ok()) return exchange.Fail(list.status());
  // Not cached, since worlds are created and deleted.
  AnswerDocument(request.site, *list, "no-cache", exchange);
}

void HandleGetWorld(const Request& request) {
  const auto known = Parameters::Parse(request.parameters, {});
  if (!known.ok()) return request.exchange->Fail(known.status());
  AnswerOfWorld(request,
                [](const Request&, const world::World& world,
                   const BaseUrl& base) -> absl::StatusOr<std::string> {
                  if (!base.ok()) return base.status();
                  return text::ToJson(DocumentOf(world, *base));
                });
}

void HandleCreateWorld(const Request& request) {
  const ExchangePointer& exchange = request.exchange;
  if (!CheckJsonBody(*exchange)) return;
  auto order = ParseOrder(*exchange, request.parameters);
  if (!order.ok()) return exchange->Fail(order.status());
  auto base = BaseUrlOf(request.site, *exchange);
  if (!base.ok()) return exchange->Fail(base.status());
  // Create compiles the world, and may write its file.
  const calls::Engine& engine = request.site.engine;
  const absl::Status posted = engine.workers->keeper.Run(
      exchange->admission().client(), "create world",
      [worlds = engine.worlds, exchange, order = *std::move(order)] {
        return worlds->Create(order.spec, order.options, exchange->admission().Owner());
      },
      [exchange, base = *std::move(base)](auto creation) {
        exchange->Run([exchange, creation = std::move(creation), base] {
          AnswerCreated(creation, base, *exchange);
        });
      });
  if (!posted.ok()) exchange->Fail(posted);
}

void HandleDeleteWorld(const Request& request) {
  const ExchangePointer& exchange = request.exchange;
  const auto known = Parameters::Parse(request.parameters, {});
  if (!known.ok()) return exchange->Fail(known.status());
  // Delete may remove the world's file.
  const calls::Engine& engine = request.site.engine;
  const absl::Status posted = engine.workers->keeper.Run(
      exchange->admission().client(), "delete world",
      [worlds = engine.worlds, exchange, world = request.path.world] {
        return worlds->Delete(world, exchange->admission().Deleter()).status();
      },
      [exchange](absl::Status status) {
        exchange->Run([exchange, status = std::move(status)] { AnswerDeleted(status, *exchange); });
      });
  if (!posted.ok()) exchange->Fail(posted);
}

}  // namespace thalweg::http
