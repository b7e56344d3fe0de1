#include "server/http/get_worlds.h"

#include "server/http/document.h"
#include "server/http/parameters.h"
#include "server/http/world_document.h"

namespace thalweg::http {

void HandleGetWorlds(const Site& site, Exchange& exchange, const ParameterList& parameters) {
  const auto known = Parameters::Parse(parameters, {});
  if (!known.ok()) return exchange.Fail(known.status());
  v1::WorldList list;
  for (const auto& world : site.engine.worlds->worlds()) *list.add_worlds() = SummaryOf(*world);
  // Worlds come and go.
  AnswerDocument(site, list, "no-cache", exchange);
}

}  // namespace thalweg::http
