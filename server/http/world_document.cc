#include "server/http/world_document.h"

#include "absl/strings/str_cat.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/tile_key.h"
#include "server/tile/tile_layers.h"

namespace thalweg::http {
namespace {

std::string PathOf(const world::World& world) {
  return absl::StrCat("/v1/worlds/", world.hex_id());
}

v1::LayerDocument LayerDocumentOf(v1::Layer layer) {
  const v1::LayerFacts& facts = wire::FactsOf(layer);
  v1::LayerDocument document;
  document.set_name(facts.name());
  document.set_unit(facts.unit());
  document.set_scale(facts.scale());
  if (facts.has_grey()) {
    document.set_png16_step(wire::GreyStepOf(facts));
    document.set_png16_offset(wire::GreyOffsetOf(facts));
  }
  return document;
}

}  // namespace

v1::WorldSummary SummaryOf(const world::World& world, const std::string& base) {
  v1::WorldSummary summary;
  summary.set_id(world.hex_id());
  summary.set_name(world.name());
  summary.set_description(world.spec().description());
  summary.set_levels(static_cast<std::uint32_t>(world.levels()));
  summary.set_cell_size_m(world.level(0).cell_size_m);
  summary.set_url(absl::StrCat(base, PathOf(world)));
  *summary.mutable_showplace() = world.spec().showplace();
  if (world.spec().has_sphere()) summary.set_radius_m(world.spec().sphere().radius_m());
  return summary;
}

v1::WorldDocument DocumentOf(const world::World& world, const std::string& base) {
  v1::WorldDocument document;
  *document.mutable_world() = SummaryOf(world, base);
  document.set_generator_version(world::kGeneratorVersion);
  for (const v1::Layer layer : tile::LayersOf(world.layers())) {
    *document.add_layers() = LayerDocumentOf(layer);
  }
  document.set_tile_cells(wire::kTileCells);
  document.set_max_vertex(static_cast<double>(wire::kMaxVertex));
  for (const std::int64_t cost : world.level_costs()) {
    document.add_level_costs(static_cast<double>(cost));
  }
  const bool is_planet = world.spec().has_sphere();
  document.set_tiles(absl::StrCat(base, PathOf(world), "/tiles/{level}/{x}/{y}.{ext}",
                                  is_planet ? "?face={face}" : ""));
  if (is_planet) {
    document.set_ground(absl::StrCat(base, PathOf(world), "/cesium/layer.json"));
    document.set_pictures(absl::StrCat(base, PathOf(world), "/globe/{picture}/tilejson.json"));
  } else {
    document.set_tilejson(absl::StrCat(base, PathOf(world), "/tilejson.json"));
  }
  *document.mutable_spec() = world.spec();
  document.set_has_lakes(world.has_lakes());
  return document;
}

}  // namespace thalweg::http
