#include "tests/bench/sample_tiles.h"

#include <future>
#include <utility>

#include "server/world/world_library.h"
#include "tests/bench/exit.h"

namespace thalweg::bench {
namespace {

template <typename T>
T ValueOrExit(absl::StatusOr<T> value) {
  if (!value.ok()) Exit(value.status().ToString());
  return *std::move(value);
}

}  // namespace

std::shared_ptr<const world::World> Preset(const std::string& name) {
  return ValueOrExit(world::WorldLibrary::OfPresets()->Find(name));
}

std::shared_ptr<const world::World> RainWorld(int steps, int thermal_iterations) {
  v1::WorldSpec spec;
  spec.set_name("rain");
  spec.set_seed(1);
  spec.set_levels(2);
  v1::Noise* noise = spec.mutable_base()->mutable_fbm();
  noise->set_wavelength_m(30000);
  noise->set_amplitude(1500);
  v1::LevelRule* rock = spec.add_rules();
  rock->set_to_level(0);
  v1::LevelRule* rain = spec.add_rules();
  rain->set_from_level(1);
  rain->mutable_detail()->set_roughness(0.05);
  rain->add_stages()->mutable_droplet()->set_steps(static_cast<std::uint32_t>(steps));
  if (thermal_iterations > 0) {
    rain->add_stages()->mutable_thermal()->set_iterations(
        static_cast<std::uint32_t>(thermal_iterations));
  }
  return ValueOrExit(world::World::Create(spec));
}

field::TileValues FetchTile(field::Field& field, const field::TileRequest& request) {
  std::promise<absl::StatusOr<field::TileValues>> promise;
  field.Request(request, [&promise](absl::StatusOr<field::TileValues> values) {
    promise.set_value(std::move(values));
  });
  return ValueOrExit(promise.get_future().get());
}

field::TileRequest SampleRequest(const std::string& preset, int level) {
  return {Preset(preset), {0, level, 3, 2}, {backend::Layer::kHeight}};
}

}  // namespace thalweg::bench
