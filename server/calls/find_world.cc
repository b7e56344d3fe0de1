#include "server/calls/find_world.h"

#include <utility>

#include "absl/functional/any_invocable.h"

namespace thalweg::calls {

void FindWorld(const Engine& engine, std::uint64_t client, const std::string& request,
               world::TakeWorld take) {
  engine.worlds->FindThen(
      request,
      [&engine, client](absl::AnyInvocable<void() &&> work) {
        return engine.workers->compilers.Run(
            client, "find world",
            [work = std::move(work)]() mutable {
              std::move(work)();
              return absl::OkStatus();
            },
            [](const absl::Status&) {});
      },
      std::move(take));
}

}  // namespace thalweg::calls
