#include "server/world/constraints.h"

#include <algorithm>
#include <string>

#include "proto/text/field_message.h"
#include "proto/text/world_texts.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/world/climb.h"
#include "server/world/height_curve.h"
#include "server/world/level_program.h"
#include "server/world/named_nodes.h"
#include "server/world/planet.h"
#include "server/world/stage_layers.h"
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
    return wire::Invalid("rules",
                         absl::StrCat("one for each of the levels 0 to ", spec.levels() - 1),
                         absl::StrCat("none for level ", level));
  }
  return absl::OkStatus();
}

absl::Status CheckNode(const std::string& path, const v1::Node& node);

absl::Status CheckCurve(const std::string& path, const v1::Curve& curve) {
  for (int i = 1; i < curve.points_size(); ++i) {
    const double before = curve.points(i - 1).in();
    const double in = curve.points(i).in();
    if (in >= before + kSmallestCurveStep) continue;
    return wire::Invalid(text::FieldPath(text::ItemPath(text::FieldPath(path, "points"), i), "in"),
                         absl::StrCat("min ", text::Decimal(kSmallestCurveStep), " over ",
                                      text::Decimal(before), " of the point before it"),
                         text::Decimal(in));
  }
  return CheckNode(text::FieldPath(path, "source"), curve.source());
}

absl::Status CheckNodes(const std::string& path, const v1::Nodes& nodes) {
  for (int i = 0; i < nodes.nodes_size(); ++i) {
    THALWEG_RETURN_IF_ERROR(
        CheckNode(text::ItemPath(text::FieldPath(path, "nodes"), i), nodes.nodes(i)));
  }
  return absl::OkStatus();
}

absl::Status CheckNode(const std::string& path, const v1::Node& node) {
  switch (node.kind_case()) {
    case v1::Node::kWarp:
      return CheckNode(text::FieldPath(path, "warp.source"), node.warp().source());
    case v1::Node::kBlend:
      THALWEG_RETURN_IF_ERROR(CheckNode(text::FieldPath(path, "blend.low"), node.blend().low()));
      THALWEG_RETURN_IF_ERROR(CheckNode(text::FieldPath(path, "blend.high"), node.blend().high()));
      return CheckNode(text::FieldPath(path, "blend.mask"), node.blend().mask());
    case v1::Node::kCurve:
      return CheckCurve(text::FieldPath(path, "curve"), node.curve());
    case v1::Node::kSum:
      return CheckNodes(text::FieldPath(path, "sum"), node.sum());
    case v1::Node::kProduct:
      return CheckNodes(text::FieldPath(path, "product"), node.product());
    case v1::Node::kMin:
      return CheckNodes(text::FieldPath(path, "min"), node.min());
    case v1::Node::kMax:
      return CheckNodes(text::FieldPath(path, "max"), node.max());
    default:
      return absl::OkStatus();
  }
}

}  // namespace

absl::Status CheckSize(const v1::WorldSpec& spec) {
  const std::size_t bytes = spec.ByteSizeLong();
  if (bytes <= kLargestSpecBytes) return absl::OkStatus();
  return wire::Invalid("specification",
                       absl::StrCat("max ", kLargestSpecBytes, " bytes with its defaults"), bytes);
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
    return wire::Invalid("steepness", "none, since no rule has a stage 'rivers'", "one");
  }
  if (spec.has_base_level_m() && spec.has_sea_level_m()) {
    return wire::Invalid("base_level_m", "none, since the world has a sea_level_m",
                         text::Decimal(spec.base_level_m()));
  }
  THALWEG_RETURN_IF_ERROR(CheckHeightCurve(spec));
  for (int i = 0; i < spec.nodes_size(); ++i) {
    THALWEG_RETURN_IF_ERROR(
        CheckNode(text::FieldPath(text::ItemPath("nodes", i), "node"), spec.nodes(i).node()));
  }
  THALWEG_RETURN_IF_ERROR(CheckNode("steepness", spec.steepness()));
  THALWEG_RETURN_IF_ERROR(CheckNode("base", spec.base()));
  return CheckClimb(spec);
}

}  // namespace thalweg::world
