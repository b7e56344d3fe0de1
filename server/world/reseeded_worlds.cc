#include "server/world/reseeded_worlds.h"

#include "proto/wire/guarded.h"

namespace thalweg::world {
namespace {

constexpr std::size_t kMaxReseeded = 256;

}  // namespace

void ReseededWorlds::Find(const WorldPointer& world, std::uint64_t seed, RunWork run,
                          TakeWorld take) {
  if (world->spec().seed() == seed) return std::move(take)(world);
  const Key key(world->name(), world->id(), seed);
  {
    std::unique_lock lock(mutex_);
    WorldPointer found = Use(key);
    if (found != nullptr) {
      lock.unlock();
      return std::move(take)(std::move(found));
    }
    const auto [flight, is_first] = flights_.try_emplace(key);
    flight->second.push_back(std::move(take));
    if (!is_first) return;
  }
  const absl::Status started = run([this, key, world, seed] {
    Land(key, wire::Guarded("compile world", [&]() -> absl::StatusOr<WorldPointer> {
           return reseed_(*world, seed);
         }));
  });
  if (!started.ok()) Land(key, started);
}

WorldPointer ReseededWorlds::Use(const Key& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->world;
}

void ReseededWorlds::Insert(const Key& key, const WorldPointer& world) {
  if (entries_.size() == kMaxReseeded) {
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, world});
  by_key_[key] = entries_.begin();
}

void ReseededWorlds::Land(const Key& key, const absl::StatusOr<WorldPointer>& world) {
  std::vector<TakeWorld> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (world.ok()) Insert(key, *world);
    waiting = std::move(flights_.extract(key).mapped());
  }
  for (TakeWorld& take : waiting) std::move(take)(world);
}

}  // namespace thalweg::world
