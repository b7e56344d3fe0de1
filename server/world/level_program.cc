#include "server/world/level_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"
#include "server/world/base_compiler.h"
#include "server/world/constraints.h"
#include "server/world/height_curve.h"
#include "server/world/named_nodes.h"
#include "server/world/starting_stages.h"

namespace thalweg::world {
namespace {

constexpr double kLatticeStepsPerCell = 64.0;

// Vertex x is interpolated from the parent's floor(x/2) - 1 to floor(x/2) + 2. A vertex that is
// kept more than that is needed, so that code that reads a surface needs no special case at its
// rim.
constexpr int kInterpolationReach = 3;

constexpr double kDetailWavelengthCells = 4.0;
constexpr std::uint32_t kDetailStream = 1000;
// Neighbouring levels are turned differently.
constexpr std::uint32_t kDetailTurn = 3;

// A rule has at most 8 stages, so levels don't share streams of rain.
constexpr std::uint32_t kRainStreamsPerLevel = 16;

kernels::DetailParams CompileDetail(const v1::Detail& detail, double cell_units) {
  return {.cell = stages::KernelFloat(cell_units),
          .inverse_cell = stages::KernelFloat(1.0 / cell_units),
          .roughness = stages::KernelFloat(detail.roughness()),
          .slope_roughness = stages::KernelFloat(detail.slope_roughness())};
}

std::int32_t SeaLevel(const v1::WorldSpec& spec) {
  return spec.has_sea_level_m() ? stages::RoundedInt(CellHeightUnits(spec.sea_level_m()))
                                : kernels::kNoSea;
}

// The height at which rivers end: the sea, or the ground of dry basins.
std::int32_t BaseLevel(const v1::WorldSpec& spec) {
  return spec.has_base_level_m() ? stages::RoundedInt(CellHeightUnits(spec.base_level_m()))
                                 : SeaLevel(spec);
}

int LevelsAfterElevation(const v1::WorldSpec& spec, int level) {
  if (!spec.has_elevation()) return 0;
  return std::max(level - static_cast<int>(spec.elevation().level()), 0);
}

// A whole number of a stage on which its reach depends.
struct ReachField {
  std::string name;
  // The reach with the least value that the field may have.
  int least_reach = 0;
  // The largest value with which the stage reaches no farther than it may; 0 if there is none.
  std::uint32_t max = 0;
  std::uint32_t value = 0;
};

// The field that shortens the reach the most. reach: of a stage.
template <typename Reach>
ReachField FieldToLower(const v1::Stage& stage, int max_reach, const Reach& reach) {
  namespace pb = google::protobuf;
  v1::Stage changed = stage;
  const pb::FieldDescriptor& kind = *v1::Stage::descriptor()->FindFieldByNumber(stage.kind_case());
  pb::Message& message = *v1::Stage::GetReflection()->MutableMessage(&changed, &kind);
  const pb::Reflection& reflection = *message.GetReflection();
  ReachField best{.name = "", .least_reach = reach(stage)};
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const pb::FieldDescriptor& field = *message.GetDescriptor()->field(i);
    if (field.cpp_type() != pb::FieldDescriptor::CPPTYPE_UINT32 || field.is_repeated()) continue;
    const v1::Range& range = field.options().GetExtension(v1::range);
    const std::uint32_t value = reflection.GetUInt32(message, &field);
    const auto reach_with = [&](std::uint32_t other) {
      reflection.SetUInt32(&message, &field, other);
      return reach(changed);
    };
    const auto least = static_cast<std::uint32_t>(range.min());
    const int least_reach = reach_with(least);
    if (least_reach < best.least_reach) {
      best = {.name = text::FieldPath(kind.name(), field.name()),
              .least_reach = least_reach,
              .max = 0,
              .value = value};
      const std::uint32_t factor = range.power_of_two() ? 2 : 1;
      for (std::uint32_t next = least; next < value && reach_with(next) <= max_reach;
           next = factor * next + (factor == 1 ? 1 : 0)) {
        best.max = next;
      }
    }
    reflection.SetUInt32(&message, &field, value);
  }
  return best;
}

// The error of a level whose stages reach too far: it names the number to lower, and to what.
template <typename Reach>
absl::Status TooFar(const LevelProgram& program, const v1::LevelRule& rule, const std::string& path,
                    const Reach& reach) {
  const int halo = program.HaloCells();
  int farthest = 0;
  for (int i = 1; i < rule.stages_size(); ++i) {
    if (reach(rule.stages(i)) > reach(rule.stages(farthest))) farthest = i;
  }
  const v1::Stage& stage = rule.stages(farthest);
  const int others = halo - reach(stage);
  const ReachField field = FieldToLower(stage, kMaxHaloCells - others, reach);
  const std::string where =
      text::FieldPath(text::ItemPath(text::FieldPath(path, "stages"), farthest), field.name);
  const std::string why = absl::StrCat(", since the stages of level ", program.level, " reach ",
                                       halo, " cells together, and may reach ", kMaxHaloCells);
  return wire::Invalid(
      where,
      field.max > 0 ? absl::StrCat("max ", field.max, why) : absl::StrCat("a lower one", why),
      field.value);
}

}  // namespace

int LevelProgram::HaloCells() const {
  if (surface->IsOneBlock(level)) return 0;
  int halo = 0;
  for (const Stage& stage : stages) halo += Reach(stage);
  return halo;
}

int LevelProgram::ParentReachCells() const {
  int reach = kInterpolationReach;
  for (const Stage& stage : stages) reach = std::max(reach, ParentReach(stage));
  return reach;
}

bool LevelProgram::StartsWithStage() const {
  return !stages.empty() && StartsLevel(stages.front());
}

std::span<const kernels::BaseInstruction> LevelProgram::base() const {
  return std::span(instructions).first(static_cast<std::size_t>(base_size));
}

std::span<const kernels::BaseInstruction> LevelProgram::height_curve() const {
  return std::span(instructions).subspan(static_cast<std::size_t>(base_size));
}

std::span<const kernels::BaseInstruction> LevelProgram::CurveOfBlocks() const {
  return keeps_shown_heights ? std::span<const kernels::BaseInstruction>() : height_curve();
}

double CellHeightUnits(double cell_size_m) { return stages::HeightUnits(cell_size_m); }

int LatticeShift(double cell_size_m) {
  return std::max(std::ilogb(CellHeightUnits(cell_size_m) / kLatticeStepsPerCell), 0);
}

absl::StatusOr<LevelProgram> CompileLevel(const v1::WorldSpec& spec, int level,
                                          std::shared_ptr<const Elevation> elevation) {
  const int rule_index = RuleOf(spec, level);
  const v1::LevelRule& rule = spec.rules(rule_index);
  const auto number = static_cast<std::uint32_t>(level);
  LevelProgram program;
  program.level = level;
  if (spec.has_sphere()) program.surface = &SphereLayout();
  program.cell_size_m = std::ldexp(spec.cell_size_m(), -level);
  program.seed_low = static_cast<std::uint32_t>(spec.seed());
  program.seed_high = static_cast<std::uint32_t>(spec.seed() >> 32);
  program.inherited = InheritedLayers(spec);
  program.planes = program.inherited | WrittenLayers(spec);
  program.sea_level = SeaLevel(spec);
  if (elevation != nullptr && level <= elevation->level()) program.elevation = std::move(elevation);
  const double cell_units = CellHeightUnits(program.cell_size_m);
  const bool from_base = number <= spec.base_level();
  if (from_base) {
    THALWEG_ASSIGN_OR_RETURN(const v1::Node base, Expanded(spec, "base", spec.base()));
    THALWEG_ASSIGN_OR_RETURN(const v1::Node steepness,
                             Expanded(spec, "steepness", spec.steepness()));
    THALWEG_ASSIGN_OR_RETURN(
        program.instructions,
        CompileBase(
            base, spec.has_steepness() ? &steepness : nullptr,
            {.cell_size_m = program.cell_size_m, .in_space = spec.has_sphere(), .level = level}));
    program.base_size = static_cast<int>(program.instructions.size());
  } else {
    program.detail = CompileDetail(rule.detail(), cell_units);
    program.detail_lattice = stages::NoiseLattice(spec.has_sphere(), kDetailWavelengthCells,
                                                  number * kDetailTurn, kDetailStream + number);
  }
  // Ground stands on shown heights.
  if (!StandsOnShownHeights(spec, level)) {
    AppendHeightCurve(spec.height_curve(), program.instructions);
    program.keeps_shown_heights = StandsOnShownHeights(spec, level + 1);
  }
  const auto numbers_of = [&](int stage) {
    return stages::LevelNumbers{
        .number = level,
        .cell_units = cell_units,
        .sea_level = BaseLevel(spec),
        .planes = static_cast<int>(program.planes.bits()),
        .stream = number * kRainStreamsPerLevel + static_cast<std::uint32_t>(stage),
        .after_real_land = LevelsAfterElevation(spec, level),
        .ground_levels_above = StartingStagesAbove(spec, level),
        .finer_levels = static_cast<int>(spec.levels()) - 1 - level,
        .from_base = from_base,
        .on_sphere = spec.has_sphere()};
  };
  for (int i = 0; i < rule.stages_size(); ++i) {
    program.stages.push_back(stages::Compile(rule.stages(i), numbers_of(i)));
  }
  if (program.HaloCells() > kMaxHaloCells) {
    return TooFar(program, rule, text::ItemPath("rules", rule_index), [&](const v1::Stage& stage) {
      return stages::Reach(stages::Compile(stage, numbers_of(0)));
    });
  }
  return program;
}

}  // namespace thalweg::world
