#include "client/tools/bake/part_region.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "client/src/contract/messages.h"
#include "client/tools/globe/globe.h"
#include "proto/bake/planet_area.h"
#include "proto/base/world_text.h"
#include "proto/wire/status_macros.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::bake {
namespace {

absl::StatusOr<Region> FetchVertices(Client& client, const Area& area, const std::string& world,
                                     const std::vector<Layer>& layers) {
  return client.FetchRegion({.world = world,
                             .level = area.level,
                             .face = area.face,
                             .x0 = area.x0,
                             .y0 = area.y0,
                             .width = static_cast<int>(area.width),
                             .height = static_cast<int>(area.height),
                             .layers = layers,
                             .precision = Precision::kExact,
                             .priority = Priority::kBake});
}

}  // namespace

absl::StatusOr<Region> FetchArea(Client& client, const Area& area, const std::string& world,
                                 const std::vector<Layer>& layers) {
  if (area.grid == GridKind::kVertices) return FetchVertices(client, area, world, layers);
  THALWEG_ASSIGN_OR_RETURN(
      globe::Samples samples,
      globe::SamplePoints(
          client,
          {.world = world, .level = area.level, .layers = layers, .priority = Priority::kBake},
          PointsOf(area)));
  return Region{.level = area.level,
                .face = area.face,
                .x0 = area.x0,
                .y0 = area.y0,
                .width = static_cast<int>(area.width),
                .height = static_cast<int>(area.height),
                .planes = std::move(samples.planes),
                .tiles = samples.tiles,
                .wire_bytes = samples.wire_bytes};
}

PartValues ToPart(const Area& area, Region region) {
  PartValues part{area, {}};
  for (RegionPlane& plane : region.planes) {
    part.planes.push_back({static_cast<int>(plane.layer), std::move(plane.values)});
  }
  return part;
}

std::vector<int> NumbersOf(const std::vector<Layer>& layers) {
  std::vector<int> numbers;
  for (const Layer layer : layers) numbers.push_back(static_cast<int>(layer));
  return numbers;
}

std::vector<Layer> LayersOf(const Manifest& manifest) {
  std::vector<Layer> layers;
  for (const int number : manifest.layers) layers.push_back(static_cast<Layer>(number));
  return layers;
}

absl::StatusOr<Region> ReadRegion(const PartStore& store, const Part& part) {
  THALWEG_ASSIGN_OR_RETURN(PartValues values, store.Read(part));
  Region region;
  region.level = values.area.level;
  region.face = values.area.face;
  region.x0 = values.area.x0;
  region.y0 = values.area.y0;
  region.width = static_cast<int>(values.area.width);
  region.height = static_cast<int>(values.area.height);
  for (PartPlane& plane : values.planes) {
    region.planes.push_back({static_cast<Layer>(plane.layer), std::move(plane.values)});
  }
  return region;
}

std::string ToManifest(const WorldInfo& world) {
  const absl::StatusOr<v1::WorldSpec> spec = text::WorldFromJson(world.specification);
  if (!spec.ok()) return "";
  v1::World message;
  *message.mutable_spec() = *spec;
  message.set_id(absl::HexStringToBytes(world.id));
  message.set_generator_version(world.generator_version);
  for (const Layer layer : world.layers) message.add_layers(static_cast<v1::Layer>(layer));
  message.set_max_vertex(world.max_vertex);
  return message.SerializeAsString();
}

absl::StatusOr<WorldInfo> WorldOf(const PartStore& store) {
  const std::string& bytes = store.manifest().world;
  if (bytes.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("--from: the parts in '", store.folder(),
                     "' have no description of their world: run the bake that made them again"));
  }
  v1::World message;
  if (!message.ParseFromString(bytes)) {
    return absl::DataLossError(
        absl::StrCat("--from: cannot read the description of the world in '", store.folder(), "'"));
  }
  return FromMessage(message);
}

}  // namespace thalweg::bake
