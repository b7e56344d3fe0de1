// Worlds with a seed that a caller chose: "alpine@7".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/sharing/lru_cache.h"
#include "server/sharing/single_flight.h"
#include "server/world/world.h"

namespace thalweg::world {

using WorldPointer = std::shared_ptr<const World>;

// Takes a world or an error. Called once, without any lock held.
using TakeWorld = absl::AnyInvocable<void(absl::StatusOr<WorldPointer>) &&>;

// Runs the work now or later, on any thread; after an error it never runs.
using RunWork = absl::FunctionRef<absl::Status(absl::AnyInvocable<void() &&>)>;

// Thread-safe. Keeps the most recently used worlds, so that a stream of requests compiles a world
// once. If several callers ask for a missing world at a time, it is compiled once.
class ReseededWorlds {
 public:
  // Makes a world with another seed.
  using Reseed = std::function<WorldPointer(const World&, std::uint64_t)>;

  explicit ReseededWorlds(Reseed reseed) : reseed_(std::move(reseed)) {}

  // Calls `take` with the world of that seed: before it returns if the world is kept, else when the
  // world is compiled, by this call's `run` or by that of an earlier call.
  void Find(const WorldPointer& world, std::uint64_t seed, RunWork run, TakeWorld take);

 private:
  // Name, id and seed. The id is needed since, after a deletion, another world may have the name.
  using Key = std::tuple<std::string, std::string, std::uint64_t>;

  // How many worlds are kept.
  static constexpr std::size_t kMaxReseeded = 256;

  const Reseed reseed_;
  sharing::LruCache<Key, WorldPointer> kept_{kMaxReseeded};
  sharing::SingleFlight<Key, TakeWorld> compiling_;
};

}  // namespace thalweg::world
