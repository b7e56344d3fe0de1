#include "server/http/get_world.h"

#include <utility>

#include "server/http/document.h"
#include "server/http/find_world.h"
#include "server/http/parameters.h"
#include "server/http/world_document.h"

namespace thalweg::http {

void HandleGetWorld(const Site& site, const WorldRoute& route, const ExchangePointer& exchange,
                    const ParameterList& parameters) {
  const auto known = Parameters::Parse(parameters, {});
  if (!known.ok()) return exchange->Fail(known.status());
  auto base = BaseUrlOf(site, *exchange);
  if (!base.ok()) return exchange->Fail(base.status());
  FindWorld(site, route.world, exchange,
            [&site, exchange, base = *std::move(base)](const world::WorldPointer& world) {
              // The id does not cover name and description, so this may change for one id.
              AnswerDocument(site, DocumentOf(*world, base), "no-cache", *exchange);
            });
}

}  // namespace thalweg::http
