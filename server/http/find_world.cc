#include "server/http/find_world.h"

#include <utility>

#include "server/calls/background.h"

namespace thalweg::http {

void FindWorld(const Site& site, const std::string& request, const ExchangePointer& exchange,
               absl::AnyInvocable<void(world::WorldPointer) &&> take) {
  calls::FindWorld(
      site.engine, request,
      [exchange, take = std::move(take)](absl::StatusOr<world::WorldPointer> world) mutable {
        exchange->Run([exchange, take = std::move(take), world = std::move(world)]() mutable {
          // After a cancellation, Fail uses the reason of the cancellation.
          if (!world.ok() || exchange->is_cancelled()) {
            return exchange->Fail(world.status());
          }
          std::move(take)(*std::move(world));
        });
      });
}

}  // namespace thalweg::http
