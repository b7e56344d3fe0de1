// Worlds with a seed that a caller chose: "alpine@7".
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
  struct Entry {
    Key key;
    WorldPointer world;
  };

  // Null if the world is not kept. Called with the lock held.
  WorldPointer Use(const Key& key);
  void Insert(const Key& key, const WorldPointer& world);
  // Ends a compilation: keeps the world and answers its callers.
  void Land(const Key& key, const absl::StatusOr<WorldPointer>& world);

  const Reseed reseed_;
  std::mutex mutex_;
  // The most recently used one is first.
  std::list<Entry> entries_;
  std::map<Key, std::list<Entry>::iterator> by_key_;
  // The callers that wait for worlds under compilation.
  std::map<Key, std::vector<TakeWorld>> flights_;
};

}  // namespace thalweg::world
