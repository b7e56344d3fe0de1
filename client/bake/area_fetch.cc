#include "client/bake/area_fetch.h"

#include <utility>

#include "client/globe/sampler.h"
#include "proto/bake/planet_area.h"
#include "proto/wire/status_macros.h"

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
  if (area.grid == Grid::kVertices) return FetchVertices(client, area, world, layers);
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

}  // namespace thalweg::bake
