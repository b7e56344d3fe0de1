#include "server/world/climb.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "proto/text/field_message.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/stages/host_math.h"
#include "server/world/base_bound.h"
#include "server/world/constraints.h"
#include "server/world/named_nodes.h"

namespace thalweg::world {
namespace {

// The same limit as in kernels::heightFromMetres.
constexpr double kHighestM = 16000;
// What 32 bits hold in units of 1/65,536 m. Kernels cut mountains off at half of it
// (kHighestGround), but a lower limit here would refuse worlds that were taken before.
constexpr double kLargestHeightM = 32767;
// Of 3,000 random worlds at the limit, the climb of the worst was 1.2 times the estimate.
constexpr double kClimbMargin = 1.25;
constexpr double kHack = 1.7;
// The longest step, over a diagonal, in cells.
constexpr double kLongestStep = 1.4142135623730951;
// The same part as in kernels::meanRelief.
constexpr double kMeanRelief = 0.375;
// The min slope of a way; the same as in server/stages/rivers.cc.
constexpr double kMinSlope = 1.0 / 16384;

// What the stages `rivers` of some levels add to the ground that they start from.
struct Climb {
  double metres = 0;
  // The stage that adds the most, as indices of a rule and of its stages.
  int rule = -1;
  int stage = -1;
  double largest = 0;
};

// The steady slope where a river has come `length_m` from its source.
double SlopeAt(const v1::Rivers& rivers, double factor, double length_m) {
  const double area_m2 = std::pow(length_m / kHack, 2);
  const double steady = rivers.steepness() * factor * std::pow(area_m2, -rivers.concavity());
  return std::clamp(steady, kMinSlope, stages::TangentOfDegrees(rivers.repose_deg()));
}

// By how much a stage raises a river's source, if its steps begin this far below the source. A
// level that starts from the base counts areas over the stage's own steps only.
double RiseM(const v1::Rivers& rivers, double factor, double cell_m, double below_m,
             bool from_base) {
  const double step_m = kLongestStep * cell_m;
  const double farthest_m =
      from_base ? rivers.drainage() * step_m : std::numeric_limits<double>::infinity();
  const auto slope = [&](double length_m) {
    return SlopeAt(rivers, factor, std::min(length_m, farthest_m));
  };
  double rise = kMeanRelief * cell_m * slope(std::max(below_m, cell_m));
  for (std::uint32_t step = 1; step <= rivers.steps(); ++step)
    rise += step_m * slope(below_m + step * step_m);
  return rise;
}

// A level starts from its parent's ground. So the finest level raises a source over its steps from
// the ground at their end. The parent has raised that end over its own steps, and so on downstream.
// A second stage of a level starts from the ground of the first one, but finds its ways anew: where
// its steps end, the first one may have had a source.
Climb ClimbOf(const v1::WorldSpec& spec, double factor, int coarsest, int finest) {
  Climb climb;
  double below_m = 0;
  for (int level = finest; level >= coarsest; --level) {
    const int rule = RuleOf(spec, level);
    const double cell_m = std::ldexp(spec.cell_size_m(), -level);
    double steps_m = 0;
    for (int stage = 0; stage < spec.rules(rule).stages_size(); ++stage) {
      if (!spec.rules(rule).stages(stage).has_rivers()) continue;
      const v1::Rivers& rivers = spec.rules(rule).stages(stage).rivers();
      const double rise = RiseM(rivers, factor, cell_m, below_m, level == coarsest);
      climb.metres += rise;
      if (rise > climb.largest) climb = {climb.metres, rule, stage, rise};
      steps_m += rivers.steps() * kLongestStep * cell_m;
    }
    below_m += steps_m;
  }
  return climb;
}

absl::StatusOr<Climb> HighestClimb(const v1::WorldSpec& spec) {
  double factor = 1;
  if (spec.has_steepness()) {
    THALWEG_ASSIGN_OR_RETURN(const v1::Node steepness,
                             Expanded(spec, "steepness", spec.steepness()));
    factor = LargestValue(steepness);
  }
  const int last = static_cast<int>(spec.levels()) - 1;
  const int last_from_base = std::min(static_cast<int>(spec.base_level()), last);
  Climb highest = ClimbOf(spec, factor, last_from_base, last);
  // The levels before start from the base too, and no level starts from theirs.
  for (int level = 0; level < last_from_base; ++level) {
    const Climb climb = ClimbOf(spec, factor, level, level);
    if (climb.metres > highest.metres) highest = climb;
  }
  return highest;
}

// A bound of the ground before rivers: the base, or real land, and every level's detail.
absl::StatusOr<double> HighestGroundM(const v1::WorldSpec& spec) {
  THALWEG_ASSIGN_OR_RETURN(const v1::Node base, Expanded(spec, "base", spec.base()));
  double highest = spec.has_elevation() ? kHighestM : std::min(kHighestM, LargestValue(base));
  for (int level = static_cast<int>(spec.base_level()) + 1; level < static_cast<int>(spec.levels());
       ++level) {
    const v1::Detail& detail = spec.rules(RuleOf(spec, level)).detail();
    highest +=
        std::ldexp(spec.cell_size_m(), -level) * (detail.roughness() + detail.slope_roughness());
  }
  return highest;
}

}  // namespace

absl::StatusOr<double> ClimbM(const v1::WorldSpec& spec) {
  THALWEG_ASSIGN_OR_RETURN(const Climb climb, HighestClimb(spec));
  return climb.metres;
}

absl::Status CheckClimb(const v1::WorldSpec& spec) {
  THALWEG_ASSIGN_OR_RETURN(const Climb climb, HighestClimb(spec));
  if (climb.metres == 0) return absl::OkStatus();
  THALWEG_ASSIGN_OR_RETURN(const double ground_m, HighestGroundM(spec));
  const double max_m = std::min(kHighestM, std::floor((kLargestHeightM - ground_m) / kClimbMargin));
  if (climb.metres <= max_m) return absl::OkStatus();
  const std::string stage =
      text::ItemPath(text::FieldPath(text::ItemPath("rules", climb.rule), "stages"), climb.stage);
  return wire::Invalid(
      text::FieldPath(stage, "rivers.steepness"),
      absl::StrCat("a lower one, since mountains would rise to ", std::round(climb.metres),
                   " m of max ", max_m, " m (more concavity helps too)"),
      text::Decimal(spec.rules(climb.rule).stages(climb.stage).rivers().steepness()));
}

}  // namespace thalweg::world
