// The worlds with seeds of a caller's own: "alpine@7".
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

// Takes a world or an error. Called once, without a lock held.
using TakeWorld = absl::AnyInvocable<void(absl::StatusOr<WorldPointer>) &&>;

// Runs the work now or later, on any thread; after an error it never runs.
using RunWork = absl::FunctionRef<absl::Status(absl::AnyInvocable<void() &&>)>;

// Thread-safe. Keeps the most recently used ones, so that a stream of requests compiles a world
// once; if several callers ask for a missing one at a time, one of them compiles it.
class ReseededWorlds {
 public:
  // Makes a world with another seed.
  using Reseed = std::function<WorldPointer(const World&, std::uint64_t)>;

  explicit ReseededWorlds(Reseed reseed) : reseed_(std::move(reseed)) {}

  // Gives the world with that seed to `take`: inside the call if it is kept, else when it is
  // compiled, by `run` or by an earlier call's.
  void Find(const WorldPointer& world, std::uint64_t seed, RunWork run, TakeWorld take);

 private:
  // Name, id and seed: after a deletion its name may be another world's.
  using Key = std::tuple<std::string, std::string, std::uint64_t>;
  struct Entry {
    Key key;
    WorldPointer world;
  };

  // Null: it is not here. Called with the lock held.
  WorldPointer Use(const Key& key);
  void Insert(const Key& key, const WorldPointer& world);
  // Ends a compilation.
  void Land(const Key& key, const absl::StatusOr<WorldPointer>& world);

  const Reseed reseed_;
  std::mutex mutex_;
  // The most recently used one first.
  std::list<Entry> entries_;
  std::map<Key, std::list<Entry>::iterator> by_key_;
  // The callers that wait for worlds under compilation.
  std::map<Key, std::vector<TakeWorld>> flights_;
};

}  // namespace thalweg::world
