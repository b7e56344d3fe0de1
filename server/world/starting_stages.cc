#include "server/world/starting_stages.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/rounded.h"
#include "proto/wire/status_macros.h"
#include "server/stages/stage.h"
#include "server/world/constraints.h"

namespace thalweg::world {
namespace {

// The first kind of stage that writes a layer; empty if none does.
std::string WriterOf(Layer layer) {
  const google::protobuf::OneofDescriptor& kinds =
      *v1::Stage::descriptor()->FindOneofByName("kind");
  for (int i = 0; i < kinds.field_count(); ++i) {
    v1::Stage stage;
    stage.GetReflection()->MutableMessage(&stage, kinds.field(i));
    if (stages::AccessOf(stage, /*sea=*/false).writes.Contains(layer))
      return kinds.field(i)->name();
  }
  return "";
}

// A hillslope is about as long as the root of the area at which channels begin. Resolved, it has at
// least so many cells.
constexpr double kHillslopeCells = 8;

bool StartsWithStage(const v1::WorldSpec& spec, int level) {
  const v1::LevelRule& rule = spec.rules(RuleOf(spec, level));
  return rule.stages_size() > 0 && stages::StartsLevel(rule.stages(0));
}

// The stage `rivers` of the nearest coarser level; null if there is none.
const v1::Rivers* RiversAbove(const v1::WorldSpec& spec, int level) {
  for (int above = level - 1; above >= 0; --above) {
    for (const v1::Stage& stage : spec.rules(RuleOf(spec, above)).stages()) {
      if (stage.has_rivers()) return &stage.rivers();
    }
  }
  return nullptr;
}

// "rules[3].stages[0].ground.coast".
std::string PartOfGround(int rule, const std::string& part) {
  return text::FieldPath(
      text::ItemPath(text::FieldPath(text::ItemPath("rules", rule), "stages"), 0),
      absl::StrCat("ground.", part));
}

// Coasts lie at the sea.
absl::Status CheckCoast(const v1::WorldSpec& spec, int rule) {
  const v1::Stage& stage = spec.rules(rule).stages(0);
  if (!stage.ground().has_coast() || spec.has_sea_level_m()) return absl::OkStatus();
  return wire::Excluded(PartOfGround(rule, "coast"), "the world has no sea_level_m");
}

// Rivers run on from the stage `rivers` through every level of ground: none begins there.
absl::Status CheckRivers(const v1::WorldSpec& spec, int rule, int level) {
  if (!spec.rules(rule).stages(0).ground().has_rivers()) return absl::OkStatus();
  if (StartingStagesAbove(spec, level) == 0) {
    if (RiversAbove(spec, level) != nullptr) return absl::OkStatus();
    return wire::Excluded(PartOfGround(rule, "rivers"), "no coarser level has a stage `rivers`");
  }
  const int above = RuleOf(spec, level - 1);
  if (spec.rules(above).stages(0).ground().has_rivers()) return absl::OkStatus();
  return wire::Excluded(PartOfGround(rule, "rivers"),
                        absl::StrCat("rules[", above, "].stages[0].ground above it has none"));
}

absl::Status CheckHillslopes(const v1::WorldSpec& spec, int rule, int level) {
  const v1::Rivers* const rivers = RiversAbove(spec, level);
  if (rivers == nullptr) return absl::OkStatus();
  const double cell_m = std::ldexp(spec.cell_size_m(), -level);
  const double most_m = std::sqrt(rivers->channel_area_m2()) / kHillslopeCells;
  if (cell_m <= most_m) return absl::OkStatus();
  const int first = level + static_cast<int>(std::ceil(std::log2(cell_m / most_m)));
  return wire::Invalid(
      text::FieldPath(text::ItemPath("rules", rule), "from_level"),
      absl::StrCat("min ", first, ", since `ground` begins where cells are ", wire::MaxText(most_m),
                   " m or less: an eighth of the root of the channel_area_m2 above it"),
      level);
}

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
  LayerSet inherited = LayerSet::UpTo(Layer::kSediment);
  for (const Layer layer : LayerSet::Inherited().List()) {
    if (written.Contains(layer)) inherited = inherited | LayerSet::UpTo(layer);
  }
  return inherited;
}

LayerSet OfferedLayers(const v1::WorldSpec& spec) {
  LayerSet offered = LayerSet::Everywhere();
  if (spec.has_sea_level_m()) offered = offered | LayerSet{Layer::kWater};
  return offered | WrittenLayers(spec);
}

absl::Status CheckLayers(const v1::WorldSpec& spec) {
  LayerSet written = LayerSet::Everywhere();
  for (int level = 0; level < static_cast<int>(spec.levels()); ++level) {
    const int rule = RuleOf(spec, level);
    for (int i = 0; i < spec.rules(rule).stages_size(); ++i) {
      const v1::Stage& stage = spec.rules(rule).stages(i);
      const stages::LayerAccess access = stages::AccessOf(stage, spec.has_sea_level_m());
      for (const Layer layer : access.reads.List()) {
        if (written.Contains(layer)) continue;
        return absl::InvalidArgumentError(absl::StrCat(
            text::ItemPath(text::FieldPath(text::ItemPath("rules", rule), "stages"), i),
            " reads the layer ", stages::NameOf(layer),
            ", which nothing has written: it needs a stage '", WriterOf(layer),
            "' before it at level ", level, " or a coarser one",
            layer == Layer::kWater ? ", or a sea_level_m" : ""));
      }
      written = written | access.writes;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckStartingStages(const v1::WorldSpec& spec) {
  for (int i = 0; i < spec.rules_size(); ++i) {
    const auto& rule_stages = spec.rules(i).stages();
    const bool starts =
        std::any_of(rule_stages.begin(), rule_stages.end(),
                    [](const v1::Stage& stage) { return stages::StartsLevel(stage); });
    if (!starts || rule_stages.size() == 1) continue;
    return wire::Invalid(text::FieldPath(text::ItemPath("rules", i), "stages"),
                         "`ground` as the only stage of its rule",
                         absl::StrCat(rule_stages.size(), " stages"));
  }
  for (int level = 0; level < static_cast<int>(spec.levels()); ++level) {
    if (!StartsWithStage(spec, level)) continue;
    const int rule = RuleOf(spec, level);
    if (level <= static_cast<int>(spec.base_level())) {
      return wire::Invalid(text::FieldPath(text::ItemPath("rules", rule), "from_level"),
                           absl::StrCat("min ", spec.base_level() + 1,
                                        ", since `ground` starts from a coarser level"),
                           level);
    }
    THALWEG_RETURN_IF_ERROR(CheckCoast(spec, rule));
    THALWEG_RETURN_IF_ERROR(CheckRivers(spec, rule, level));
    if (StartingStagesAbove(spec, level) > 0) continue;
    THALWEG_RETURN_IF_ERROR(CheckHillslopes(spec, rule, level));
  }
  return absl::OkStatus();
}

bool StandsOnShownHeights(const v1::WorldSpec& spec, int level) {
  if (level >= static_cast<int>(spec.levels())) return false;
  int starts = level;
  while (starts >= 0 && !StartsWithStage(spec, starts)) --starts;
  return starts >= 0;
}

int StartingStagesAbove(const v1::WorldSpec& spec, int level) {
  int above = 0;
  while (level > above && StartsWithStage(spec, level - above - 1)) ++above;
  return above;
}

}  // namespace thalweg::world
