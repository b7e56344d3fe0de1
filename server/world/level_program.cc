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
  for (int i = 0; i < rule.stages_size(); ++i) {
    const std::uint32_t stream = number * kRainStreamsPerLevel + static_cast<std::uint32_t>(i);
    const stages::LevelNumbers numbers{.number = level,
                                       .cell_units = cell_units,
                                       .sea_level = BaseLevel(spec),
                                       .planes = static_cast<int>(program.planes.bits()),
                                       .stream = stream,
                                       .after_real_land = LevelsAfterElevation(spec, level),
                                       .ground_levels_above = StartingStagesAbove(spec, level),
                                       .finer_levels = static_cast<int>(spec.levels()) - 1 - level,
                                       .from_base = from_base,
                                       .on_sphere = spec.has_sphere()};
    program.stages.push_back(stages::Compile(rule.stages(i), numbers));
  }
  if (const int halo = program.HaloCells(); halo > kMaxHaloCells) {
    return wire::Invalid(
        text::FieldPath(text::ItemPath("rules", rule_index), "stages"),
        absl::StrCat("a reach of max ", kMaxHaloCells, " cells (fewer steps or iterations)"), halo);
  }
  return program;
}

}  // namespace thalweg::world
