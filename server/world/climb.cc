#include "server/world/climb.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/stages/host_math.h"
#include "server/world/base_bound.h"
#include "server/world/constraints.h"
#include "server/world/field_message.h"
#include "server/world/named_nodes.h"

namespace thalweg::world {
namespace {

// The same limit as in kernels::heightFromMetres.
constexpr double kHighestM = 16000;
constexpr double kHack = 1.7;
// How often finer levels halve the cells in which a river begins.
constexpr int kHalvings = 20;

// How much a river rises towards its source: over its steps, and in the cell where it begins.
double RiseM(const v1::Rivers& rivers, double factor, double cell_m) {
  const auto slope = [&](double length_m) {
    const double area_m2 = std::pow(length_m / kHack, 2);
    const double steady = rivers.steepness() * factor * std::pow(area_m2, -rivers.concavity());
    return std::min(steady, stages::TangentOfDegrees(rivers.repose_deg()));
  };
  double rise = 0;
  for (std::uint32_t step = 1; step <= rivers.steps(); ++step)
    rise += cell_m * slope(step * cell_m);
  for (int k = 1; k <= kHalvings; ++k) {
    const double length_m = std::ldexp(cell_m, -k);
    rise += length_m * slope(length_m);
  }
  return rise;
}

// The index of a rule's rivers among its stages; -1 if it has none.
int RiversOf(const v1::LevelRule& rule) {
  for (int i = 0; i < rule.stages_size(); ++i) {
    if (rule.stages(i).has_rivers()) return i;
  }
  return -1;
}

// The last level that finds its rivers anew: its climb is checked.
int FirstRivers(const v1::WorldSpec& spec) {
  return static_cast<int>(std::min(spec.base_level(), spec.levels() - 1));
}

}  // namespace

absl::StatusOr<double> ClimbM(const v1::WorldSpec& spec) {
  const v1::LevelRule& rule = spec.rules(RuleOf(spec, FirstRivers(spec)));
  const int stage = RiversOf(rule);
  if (stage < 0) return 0;
  double factor = 1;
  if (spec.has_steepness()) {
    THALWEG_ASSIGN_OR_RETURN(const v1::Node steepness,
                             Expanded(spec, "steepness", spec.steepness()));
    factor = LargestValue(steepness);
  }
  return RiseM(rule.stages(stage).rivers(), factor,
               std::ldexp(spec.cell_size_m(), -FirstRivers(spec)));
}

absl::Status CheckClimb(const v1::WorldSpec& spec) {
  THALWEG_ASSIGN_OR_RETURN(const double climb_m, ClimbM(spec));
  if (climb_m <= kHighestM) return absl::OkStatus();
  const int rule = RuleOf(spec, FirstRivers(spec));
  const int stage = RiversOf(spec.rules(rule));
  const std::string path =
      FieldPath(ItemPath(FieldPath(ItemPath("rules", rule), "stages"), stage), "rivers.steepness");
  return wire::Invalid(
      path,
      absl::StrCat("a lower one, since mountains would rise to ", std::round(climb_m), " m of max ",
                   kHighestM, " m (more concavity helps too)"),
      Decimal(spec.rules(rule).stages(stage).rivers().steepness()));
}

}  // namespace thalweg::world
