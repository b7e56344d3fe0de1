#include "server/world/stage_layers.h"

#include <string>

#include "proto/text/field_message.h"
#include "proto/wire/invalid.h"
#include "server/stages/stage.h"
#include "server/world/constraints.h"

namespace thalweg::world {
namespace {

const char* NameOf(Layer layer) { return layer == Layer::kWater ? "water" : "vegetation"; }

const char* WriterOf(Layer layer) { return layer == Layer::kWater ? "pools" : "vegetation"; }

}  // namespace

LayerSet WrittenLayers(const v1::WorldSpec& spec) {
  LayerSet written;
  for (const v1::LevelRule& rule : spec.rules()) {
    for (const v1::Stage& stage : rule.stages()) {
      written = written | stages::AccessOf(stage, spec.has_sea_level_m()).writes;
    }
  }
  return written;
}

LayerSet InheritedLayers(const v1::WorldSpec& spec) {
  const LayerSet written = WrittenLayers(spec);
  // A child finds its parent's planes by index, so all planes before the last one are kept too.
  if (written.Contains(Layer::kVegetation)) return LayerSet::UpTo(Layer::kVegetation);
  if (written.Contains(Layer::kWater)) return LayerSet::UpTo(Layer::kWater);
  if (written.Contains(Layer::kWay)) return LayerSet::UpTo(Layer::kWay);
  return LayerSet::UpTo(Layer::kSediment);
}

LayerSet OfferedLayers(const v1::WorldSpec& spec) {
  LayerSet offered{Layer::kSediment, Layer::kWashLoad, Layer::kUplift, Layer::kWear,
                   Layer::kDeposit};
  if (spec.has_sea_level_m()) offered = offered | LayerSet{Layer::kWater};
  return offered | WrittenLayers(spec);
}

absl::Status CheckLayers(const v1::WorldSpec& spec) {
  LayerSet written;
  for (int level = 0; level < static_cast<int>(spec.levels()); ++level) {
    const int rule = RuleOf(spec, level);
    for (int i = 0; i < spec.rules(rule).stages_size(); ++i) {
      const v1::Stage& stage = spec.rules(rule).stages(i);
      const stages::LayerAccess access = stages::AccessOf(stage, spec.has_sea_level_m());
      for (const Layer layer : {Layer::kWater, Layer::kVegetation}) {
        if (!access.reads.Contains(layer) || written.Contains(layer)) continue;
        return wire::Invalid(
            text::ItemPath(text::FieldPath(text::ItemPath("rules", rule), "stages"), i),
            absl::StrCat("a stage '", WriterOf(layer), "' before it at level ", level,
                         " or a coarser one", layer == Layer::kWater ? ", or a sea_level_m" : "",
                         ", since it reads the layer ", NameOf(layer)),
            "none before it");
      }
      written = written | access.writes;
    }
  }
  return absl::OkStatus();
}

}  // namespace thalweg::world
