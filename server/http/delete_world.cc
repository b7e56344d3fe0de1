#include "server/http/delete_world.h"

#include <utility>

#include "server/calls/background.h"
#include "server/http/parameters.h"

namespace thalweg::http {
namespace {

void Answer(const absl::Status& status, Exchange& exchange) {
  if (!status.ok()) return exchange.Fail(status);
  Response response{.status = 204, .content_type = "", .headers = "", .body = nullptr};
  response.Add("Cache-Control", "no-store");
  exchange.Answer(std::move(response));
}

}  // namespace

void HandleDeleteWorld(const Site& site, const WorldRoute& route, const ExchangePointer& exchange,
                       const ParameterList& parameters) {
  const auto known = Parameters::Parse(parameters, {});
  if (!known.ok()) return exchange->Fail(known.status());
  // Delete may remove the world's file.
  const absl::Status posted = calls::RunInBackground(
      site.engine.workers->keeper, "delete world",
      [worlds = site.engine.worlds, exchange, world = route.world] {
        return worlds->Delete(world, exchange->admission().Deleter()).status();
      },
      [exchange](absl::Status status) {
        exchange->Run([exchange, status = std::move(status)] { Answer(status, *exchange); });
      });
  if (!posted.ok()) exchange->Fail(posted);
}

}  // namespace thalweg::http
