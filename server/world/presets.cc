#include "server/world/presets.h"

#include <cstdio>
#include <cstdlib>

#include "proto/text/world_text.h"
#include "server/world/preset_texts.h"

namespace thalweg::world {
namespace {

absl::StatusOr<std::shared_ptr<const World>> PresetWorld(const char* text) {
  absl::StatusOr<v1::WorldSpec> spec = text::WorldFromJson(text);
  if (!spec.ok()) return spec.status();
  return World::Create(*spec);
}

}  // namespace

std::vector<std::shared_ptr<const World>> PresetWorlds() {
  std::vector<std::shared_ptr<const World>> worlds;
  for (const char* text : PresetTexts()) {
    absl::StatusOr<std::shared_ptr<const World>> world = PresetWorld(text);
    if (!world.ok()) {
      // Presets are part of the program and tested, so this is a broken invariant.
      std::fprintf(stderr, "preset: %s\n", world.status().ToString().c_str());
      std::abort();
    }
    worlds.push_back(*std::move(world));
  }
  return worlds;
}

}  // namespace thalweg::world
