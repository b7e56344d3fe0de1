#include "server/world/reseeded_worlds.h"

#include "proto/wire/invalid.h"

namespace thalweg::world {

void ReseededWorlds::Find(const WorldPointer& world, std::uint64_t seed, RunWork run,
                          TakeWorld take) {
  if (world->spec().seed() == seed) return std::move(take)(world);
  const Key key(world->name(), world->id(), seed);
  if (!compiling_.Join(key, std::move(take), kept_)) return;
  const absl::Status started = run([this, key, world, seed] {
    const auto made = wire::Guarded(
        "compile world", [&]() -> absl::StatusOr<WorldPointer> { return reseed_(*world, seed); });
    if (made.ok()) kept_.Insert(key, *made, 1);
    compiling_.Land(key, made);
  });
  if (!started.ok()) compiling_.Land(key, absl::StatusOr<WorldPointer>(started));
}

}  // namespace thalweg::world
