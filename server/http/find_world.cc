#include "server/http/find_world.h"

#include <utility>

#include "proto/wire/status_details.h"
#include "server/calls/worlds.h"
#include "server/http/ask_later.h"

namespace thalweg::http {

void FindWorld(const Site& site, const std::string& request, const ExchangePointer& exchange,
               absl::AnyInvocable<void(world::WorldPointer) &&> take) {
  calls::FindWorld(site.engine, exchange->admission().client(), request,
                   [&site, request, exchange,
                    take = std::move(take)](absl::StatusOr<world::WorldPointer> world) mutable {
                     exchange->Run([&site, request, exchange, take = std::move(take),
                                    world = std::move(world)]() mutable {
                       // After a cancellation, Fail uses the reason of the cancellation.
                       if (exchange->is_cancelled()) return exchange->Fail(world.status());
                       if (world.ok()) return std::move(take)(*std::move(world));
                       const auto delay = wire::RetryDelayOf(world.status());
                       if (!delay) return exchange->Fail(world.status());
                       AskLater(exchange, *delay, world.status(),
                                [&site, request, exchange, take = std::move(take)]() mutable {
                                  FindWorld(site, request, exchange, std::move(take));
                                });
                     });
                   });
}

}  // namespace thalweg::http
