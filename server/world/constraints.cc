#include "server/world/constraints.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/stages/host_math.h"
#include "server/world/base_bound.h"
#include "server/world/height_curve.h"
#include "server/world/level_program.h"
#include "server/world/named_nodes.h"
#include "server/world/placed_shapes.h"
#include "server/world/planet.h"
#include "server/world/starting_stages.h"

namespace thalweg::world {
namespace {

// The encoded size, with defaults filled in. The ranges of the fields keep it well below this.
constexpr std::size_t kLargestSpecBytes = 128 << 10;
// The smallest cell of a level, in height units. In smaller ones heights have too few steps for
// useful slopes.
constexpr double kSmallestCellUnits = 128.0;
// The smallest distance of a curve's points: with it slopes stay within a float's range.
constexpr double kSmallestCurveStep = 1e-4;

absl::Status CheckCellSize(const v1::WorldSpec& spec) {
  double units = CellHeightUnits(spec.cell_size_m());
  unsigned allowed = 0;
  for (; units >= kSmallestCellUnits; units /= 2.0) ++allowed;
  if (spec.levels() <= allowed) return absl::OkStatus();
  return wire::Invalid(
      "levels",
      absl::StrCat("1 to ", allowed, ", since level 0's cell is ",
                   text::Decimal(spec.cell_size_m()), " m and the last one's is min 1/512 m"),
      spec.levels());
}

absl::Status CheckRules(const v1::WorldSpec& spec) {
  for (int i = 0; i < spec.rules_size(); ++i) {
    const v1::LevelRule& rule = spec.rules(i);
    if (rule.from_level() > rule.to_level()) {
      return wire::Invalid(text::FieldPath(text::ItemPath("rules", i), "from_level"),
                           absl::StrCat("max ", rule.to_level(), ", the rule's to_level"),
                           rule.from_level());
    }
  }
  for (int level = 0; level < static_cast<int>(spec.levels()); ++level) {
    if (RuleOf(spec, level) >= 0) continue;
    return absl::InvalidArgumentError(absl::StrCat("rules has no rule for level ", level,
                                                   ": expected one for each of the levels 0 to ",
                                                   spec.levels() - 1));
  }
  return absl::OkStatus();
}

absl::Status CheckNode(const std::string& path, const v1::Node& node, const v1::WorldSpec& spec);

absl::Status CheckCurve(const std::string& path, const v1::Curve& curve,
                        const v1::WorldSpec& spec) {
  for (int i = 1; i < curve.points_size(); ++i) {
    const double before = curve.points(i - 1).in();
    const double in = curve.points(i).in();
    if (in >= before + kSmallestCurveStep) continue;
    return wire::Invalid(text::FieldPath(text::ItemPath(text::FieldPath(path, "points"), i), "in"),
                         absl::StrCat("min ", text::Decimal(before + kSmallestCurveStep),
                                      ", since points must rise"),
                         text::Decimal(in));
  }
  return CheckNode(text::FieldPath(path, "source"), curve.source(), spec);
}

absl::Status CheckNodes(const std::string& path, const v1::Nodes& nodes,
                        const v1::WorldSpec& spec) {
  for (int i = 0; i < nodes.nodes_size(); ++i) {
    THALWEG_RETURN_IF_ERROR(
        CheckNode(text::ItemPath(text::FieldPath(path, "nodes"), i), nodes.nodes(i), spec));
  }
  return absl::OkStatus();
}

absl::Status CheckNode(const std::string& path, const v1::Node& node, const v1::WorldSpec& spec) {
  switch (node.kind_case()) {
    case v1::Node::kWarp:
      return CheckNode(text::FieldPath(path, "warp.source"), node.warp().source(), spec);
    case v1::Node::kBlend:
      THALWEG_RETURN_IF_ERROR(
          CheckNode(text::FieldPath(path, "blend.low"), node.blend().low(), spec));
      THALWEG_RETURN_IF_ERROR(
          CheckNode(text::FieldPath(path, "blend.high"), node.blend().high(), spec));
      return CheckNode(text::FieldPath(path, "blend.mask"), node.blend().mask(), spec);
    case v1::Node::kCurve:
      return CheckCurve(text::FieldPath(path, "curve"), node.curve(), spec);
    case v1::Node::kSum:
      return CheckNodes(text::FieldPath(path, "sum"), node.sum(), spec);
    case v1::Node::kProduct:
      return CheckNodes(text::FieldPath(path, "product"), node.product(), spec);
    case v1::Node::kMin:
      return CheckNodes(text::FieldPath(path, "min"), node.min(), spec);
    case v1::Node::kMax:
      return CheckNodes(text::FieldPath(path, "max"), node.max(), spec);
    default:
      return IsPlaced(node) ? CheckPlaced(path, node, spec) : absl::OkStatus();
  }
}

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

absl::Status CheckSize(const v1::WorldSpec& spec) {
  const std::size_t bytes = spec.ByteSizeLong();
  if (bytes <= kLargestSpecBytes) return absl::OkStatus();
  return wire::Invalid("specification",
                       absl::StrCat("max ", kLargestSpecBytes, " bytes with its defaults"), bytes);
}

std::vector<absl::Status> FieldErrors(v1::WorldSpec& spec) {
  // First, since everything after this goes through the nodes to their full depth.
  if (absl::Status depth = text::CheckNodeDepth(spec); !depth.ok()) return {std::move(depth)};
  std::vector<absl::Status> errors;
  for (absl::Status status :
       {text::CheckName(spec), text::CheckDescription(spec), SettleCellSize(spec)}) {
    if (!status.ok()) errors.push_back(std::move(status));
  }
  for (absl::Status& error : text::NormaliseAll(spec)) errors.push_back(std::move(error));
  return errors;
}

int RuleOf(const v1::WorldSpec& spec, int level) {
  const auto number = static_cast<std::uint32_t>(level);
  for (int i = 0; i < spec.rules_size(); ++i) {
    if (spec.rules(i).from_level() <= number && number <= spec.rules(i).to_level()) return i;
  }
  return -1;
}

namespace {

absl::Status CheckElevation(const v1::WorldSpec& spec) {
  if (!spec.has_elevation()) return absl::OkStatus();
  constexpr std::size_t kDigits = 64;
  const std::string& hash = spec.elevation().sha256();
  const bool is_hash = hash.size() == kDigits && std::all_of(hash.begin(), hash.end(), [](char c) {
                         return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                       });
  if (!is_hash) {
    return wire::Invalid("elevation.sha256", "64 hexadecimal digits, lower case",
                         text::Quoted(hash));
  }
  if (spec.base_level() > 0) {
    return wire::Invalid("base_level", "0, since the world has an elevation", spec.base_level());
  }
  if (spec.elevation().level() < spec.levels()) return absl::OkStatus();
  return wire::Invalid("elevation.level",
                       absl::StrCat("0 to ", spec.levels() - 1, ", a level of the world"),
                       spec.elevation().level());
}

}  // namespace

absl::Status CheckConstraints(const v1::WorldSpec& spec) {
  THALWEG_RETURN_IF_ERROR(CheckPlanet(spec));
  THALWEG_RETURN_IF_ERROR(CheckCellSize(spec));
  THALWEG_RETURN_IF_ERROR(CheckRules(spec));
  THALWEG_RETURN_IF_ERROR(CheckStartingStages(spec));
  THALWEG_RETURN_IF_ERROR(CheckLayers(spec));
  THALWEG_RETURN_IF_ERROR(CheckNamedNodes(spec));
  THALWEG_RETURN_IF_ERROR(CheckElevation(spec));
  THALWEG_RETURN_IF_ERROR(text::CheckGeoreference(spec));
  if (spec.has_steepness() && !WrittenLayers(spec).Contains(Layer::kWay)) {
    return wire::Excluded("steepness", "no rule has a stage 'rivers'");
  }
  if (spec.has_base_level_m() && spec.has_sea_level_m()) {
    return wire::Excluded(absl::StrCat("base_level_m ", text::Decimal(spec.base_level_m())),
                          "the world has a sea_level_m");
  }
  THALWEG_RETURN_IF_ERROR(CheckHeightCurve(spec));
  for (int i = 0; i < spec.nodes_size(); ++i) {
    THALWEG_RETURN_IF_ERROR(
        CheckNode(text::FieldPath(text::ItemPath("nodes", i), "node"), spec.nodes(i).node(), spec));
  }
  THALWEG_RETURN_IF_ERROR(CheckNode("steepness", spec.steepness(), spec));
  THALWEG_RETURN_IF_ERROR(CheckNode("base", spec.base(), spec));
  return CheckClimb(spec);
}

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
