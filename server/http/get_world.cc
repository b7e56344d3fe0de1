#include "server/http/get_world.h"

#include "server/http/document.h"
#include "server/http/parameters.h"
#include "server/http/world_document.h"

namespace thalweg::http {

void HandleGetWorld(const Site& site, const WorldRoute& route, Exchange& exchange,
                    const ParameterList& parameters) {
  const auto known = Parameters::Parse(parameters, {});
  if (!known.ok()) return exchange.Fail(known.status());
  const auto world = site.engine.worlds->Find(route.world);
  if (!world.ok()) return exchange.Fail(world.status());
  const auto base = BaseUrlOf(site, exchange);
  if (!base.ok()) return exchange.Fail(base.status());
  // The id does not cover name and description, so even its document may change.
  AnswerDocument(site, DocumentOf(**world, *base), "no-cache", exchange);
}

}  // namespace thalweg::http
