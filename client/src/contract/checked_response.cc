#include "client/src/contract/checked_response.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "client/src/contract/messages.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_tag.h"

namespace thalweg {
namespace {

namespace pb = google::protobuf;

constexpr std::size_t kMaxWorlds = 65'536;
constexpr std::size_t kIdBytes = 16;
// Four incompressible bytes for each value, and Zstandard's frame around them.
constexpr std::size_t kMaxLayerBytes = 300'000;
// The longest cell of level 0 that a plane may have (world.proto).
constexpr double kMaxPlaneCellM = 4'096;
// For a tile's other fields, and those of later versions.
constexpr std::size_t kMaxOtherBytes = 4'096;

absl::Status Breach(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                    const absl::AlphaNum& got) {
  return wire::Invalid(what, expected, got, absl::StatusCode::kInternal);
}

absl::Status Damage(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                    const absl::AlphaNum& got) {
  return wire::Invalid(what, expected, got, absl::StatusCode::kDataLoss);
}

const pb::FieldDescriptor& FieldOf(const pb::Descriptor& type, const char* name) {
  return *type.FindFieldByName(name);
}

absl::Status CheckNumber(absl::string_view name, const v1::Range& range, double value) {
  // Written so that NaN fails too.
  if (value >= range.min() && value <= range.max()) return absl::OkStatus();
  // 32-bit numbers are shown in full, NaN without a sign.
  const std::string got = std::isnan(value) ? "nan"
                          : std::trunc(value) == value && std::abs(value) < 1e15
                              ? absl::StrCat(static_cast<std::int64_t>(value))
                              : absl::StrCat(value);
  return Breach(name, absl::StrCat(range.min(), " to ", range.max()), got);
}

// Checks a number against the range of its field in the contract (world.proto).
absl::Status CheckNumber(const pb::FieldDescriptor& field, double value) {
  return CheckNumber(field.name(), field.options().GetExtension(v1::range), value);
}

absl::Status CheckName(const std::string& name) {
  if (wire::IsWorldName(name)) return absl::OkStatus();
  return Breach("name", "1 to 64 lower-case letters, digits and hyphens",
                absl::StrCat("'", absl::CHexEscape(name.substr(0, wire::kMaxNameBytes)), "'"));
}

absl::Status CheckId(const std::string& id) {
  if (id.size() == kIdBytes) return absl::OkStatus();
  return Breach("world id", "16 bytes", id.size());
}

// A planet's radius decides the size of its cells at level 0.
absl::Status CheckPlanet(double radius_m, double cell_size_m) {
  THALWEG_RETURN_IF_ERROR(CheckNumber(FieldOf(*v1::Sphere::descriptor(), "radius_m"), radius_m));
  constexpr double kSame = 1e-9;
  const double cell_m = radius_m * std::numbers::pi / 2 / wire::kTileCells;
  // Written so that NaN fails too.
  if (std::abs(cell_size_m - cell_m) <= kSame * cell_m) return absl::OkStatus();
  return Breach("cell_size_m", absl::StrCat(cell_m, ", as radius_m says"), cell_size_m);
}

// Checks how a world is divided into levels; a radius of 0 means a plane.
absl::Status CheckGrid(double cell_size_m, std::uint32_t levels, double radius_m) {
  THALWEG_RETURN_IF_ERROR(CheckNumber(FieldOf(*v1::WorldSpec::descriptor(), "levels"), levels));
  if (radius_m != 0) return CheckPlanet(radius_m, cell_size_m);
  v1::Range plane;
  plane.set_min(1);
  plane.set_max(kMaxPlaneCellM);
  return CheckNumber("cell_size_m", plane, cell_size_m);
}

// Checks only the parts of the rules that this library reads.
absl::Status CheckRules(const v1::WorldSpec& spec) {
  const v1::Range& range =
      FieldOf(*v1::WorldSpec::descriptor(), "rules").options().GetExtension(v1::range);
  const auto count = static_cast<std::uint32_t>(spec.rules_size());
  if (count < range.min_items() || count > range.max_items()) {
    return Breach("rules", absl::StrCat(range.min_items(), " to ", range.max_items(), " items"),
                  count);
  }
  const pb::FieldDescriptor& talus = FieldOf(*v1::Thermal::descriptor(), "talus_deg");
  for (const v1::LevelRule& rule : spec.rules()) {
    for (const v1::Stage& stage : rule.stages()) {
      if (!stage.has_thermal()) continue;
      THALWEG_RETURN_IF_ERROR(CheckNumber(talus, stage.thermal().talus_deg()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckGeoreference(const v1::Georeference& georeference) {
  if (!text::IsCrs(georeference.crs())) {
    constexpr std::size_t kShown = 96;
    return Breach("georeference", "a code such as EPSG:32611, or WKT",
                  absl::StrCat("'", absl::CHexEscape(georeference.crs().substr(0, kShown)), "'"));
  }
  const pb::Descriptor& type = *v1::Georeference::descriptor();
  THALWEG_RETURN_IF_ERROR(CheckNumber(FieldOf(type, "east"), georeference.east()));
  return CheckNumber(FieldOf(type, "north"), georeference.north());
}

absl::Status CheckSpec(const v1::WorldSpec& spec) {
  const absl::Status depth = text::CheckNodeDepth(spec);
  if (!depth.ok()) return absl::InternalError(depth.message());
  THALWEG_RETURN_IF_ERROR(CheckName(spec.name()));
  THALWEG_RETURN_IF_ERROR(CheckGrid(spec.cell_size_m(), spec.levels(),
                                    spec.has_sphere() ? spec.sphere().radius_m() : 0));
  if (spec.has_sea_level_m()) {
    THALWEG_RETURN_IF_ERROR(
        CheckNumber(FieldOf(*v1::WorldSpec::descriptor(), "sea_level_m"), spec.sea_level_m()));
  }
  if (spec.has_georeference()) THALWEG_RETURN_IF_ERROR(CheckGeoreference(spec.georeference()));
  return CheckRules(spec);
}

// A later server may have layers that this library does not know.
absl::Status CheckLayers(const v1::World& world) {
  std::set<Layer> layers;
  for (const int number : world.layers()) {
    if (!IsLayer(number)) continue;
    const auto layer = static_cast<Layer>(number);
    if (layers.insert(layer).second) continue;
    const std::string_view name = LayerName(layer);
    return absl::InternalError(
        absl::StrCat("layers has ", absl::string_view(name.data(), name.size()), " twice"));
  }
  if (layers.contains(Layer::kHeight)) return absl::OkStatus();
  return absl::InternalError("layers lacks height");
}

// A server may leave them out.
absl::Status CheckLevelCosts(const v1::World& world) {
  const auto& costs = world.level_costs();
  if (!costs.empty() && costs.size() != static_cast<int>(world.spec().levels())) {
    return Breach("level_costs", absl::StrCat("one for each of ", world.spec().levels(), " levels"),
                  costs.size());
  }
  const auto lowest = std::min_element(costs.begin(), costs.end());
  if (lowest == costs.end() || *lowest > 0) return absl::OkStatus();
  return Breach("level_costs", "min 1 each", *lowest);
}

absl::Status AsDamage(const absl::Status& status) {
  return status.ok() ? status : absl::DataLossError(status.message());
}

}  // namespace

TileForm FormOf(const TileOptions& options) {
  TileForm form{options.layers, options.precision};
  if (form.layers.empty()) form.layers = {Layer::kHeight};
  return form;
}

absl::Status CheckWorld(const v1::World& world) {
  THALWEG_RETURN_IF_ERROR(CheckSpec(world.spec()));
  THALWEG_RETURN_IF_ERROR(CheckId(world.id()));
  if (world.max_vertex() < wire::kTileCells || world.max_vertex() > wire::kMaxVertex) {
    return Breach("max_vertex", absl::StrCat(wire::kTileCells, " to ", wire::kMaxVertex),
                  world.max_vertex());
  }
  THALWEG_RETURN_IF_ERROR(CheckLevelCosts(world));
  return CheckLayers(world);
}

absl::Status CheckWorlds(const v1::ListWorldsResponse& page, const std::string& last_name,
                         std::size_t worlds_before) {
  const std::size_t count = worlds_before + static_cast<std::size_t>(page.worlds_size());
  if (count > kMaxWorlds) {
    return Breach("list", absl::StrCat("max ", kMaxWorlds, " worlds"), count);
  }
  const std::string* last = worlds_before == 0 ? nullptr : &last_name;
  for (const v1::World& world : page.worlds()) {
    THALWEG_RETURN_IF_ERROR(CheckWorld(world));
    const std::string& name = world.spec().name();
    if (last != nullptr && name <= *last) {
      return Breach("order of worlds", "ascending names",
                    absl::StrCat("'", name, "' after '", *last, "'"));
    }
    last = &name;
  }
  return absl::OkStatus();
}

absl::Status CheckOpened(const v1::SessionOpened& opened) {
  THALWEG_RETURN_IF_ERROR(CheckGrid(opened.cell_size_m(), opened.levels(), opened.radius_m()));
  return CheckId(opened.world_id());
}

absl::Status CheckIsWorld(const v1::World& world, const std::string& asked_for) {
  const std::string& name = world.spec().name();
  // NAME or ID, or one of them with @SEED: such a variant keeps the name, and has its own id.
  const std::vector<std::string> parts = absl::StrSplit(asked_for, absl::MaxSplits('@', 1));
  const std::string id = absl::AsciiStrToLower(parts.front());
  if (parts.size() == 1) {
    if (name == asked_for || absl::BytesToHexString(world.id()) == id) return absl::OkStatus();
    return Breach("world", absl::StrCat("'", asked_for, "'"), absl::StrCat("'", name, "'"));
  }
  std::uint64_t seed = 0;
  const bool is_seed = absl::SimpleAtoi(parts.back(), &seed) && world.spec().seed() == seed;
  if (is_seed && (name == parts.front() || id.size() == 2 * kIdBytes)) return absl::OkStatus();
  return Breach("world", absl::StrCat("'", asked_for, "'"),
                absl::StrCat("'", name, "@", world.spec().seed(), "'"));
}

absl::Status CheckHeights(const v1::SampleHeightsResponse& heights, std::size_t points) {
  if (static_cast<std::size_t>(heights.heights_size()) == points) return absl::OkStatus();
  return Damage("heights", points, heights.heights_size());
}

absl::Status CheckKey(const v1::TileKey& key, wire::Shape shape, int levels) {
  const bool plane = shape == wire::Shape::kPlane;
  if (key.face() > (plane ? 0 : sphere::kFaces - 1)) {
    return Breach("face", plane ? "0" : "0 to 5", key.face());
  }
  if (key.level() >= static_cast<std::uint32_t>(levels)) {
    return Breach("level", absl::StrCat("0 to ", levels - 1), key.level());
  }
  constexpr std::int64_t kPlaneEnd = wire::kMaxVertex / wire::kTileCells;
  const std::int64_t begin = plane ? -kPlaneEnd : 0;
  const std::int64_t end = plane ? kPlaneEnd : std::int64_t{1} << key.level();
  for (const auto& [name, value] : {std::pair{"x", key.x()}, std::pair{"y", key.y()}}) {
    if (value >= begin && value < end) continue;
    return Breach(name, absl::StrCat(begin, " to ", end - 1), value);
  }
  return absl::OkStatus();
}

absl::Status CheckTileKey(const v1::Tile& tile) {
  return AsDamage(CheckKey(tile.key(), wire::WidestShapeOf(ToWire(tile.key())), wire::kMaxLevels));
}

absl::Status CheckTile(const v1::Tile& tile, const TileForm& form) {
  THALWEG_RETURN_IF_ERROR(CheckTileKey(tile));
  THALWEG_RETURN_IF_ERROR(AsDamage(CheckId(tile.world_id())));
  // Each layer is looked up below, so equal counts exclude duplicates.
  if (static_cast<std::size_t>(tile.layers_size()) != form.layers.size()) {
    return Damage("layers", form.layers.size(), tile.layers_size());
  }
  const std::size_t max = form.layers.size() * kMaxLayerBytes + kMaxOtherBytes;
  if (tile.ByteSizeLong() > max) {
    return Damage("size", absl::StrCat("max ", max, " bytes"), tile.ByteSizeLong());
  }
  const std::uint64_t tag = ExpectedTag(tile.world_id(), ToWire(tile.key()), form);
  if (tile.tag() != tag) {
    return Damage("tag", absl::Hex(tag, absl::kZeroPad16), absl::Hex(tile.tag(), absl::kZeroPad16));
  }
  // A tile of level 0 has no parent.
  if (tile.key().level() == 0 && tile.geometric_error() != 0) {
    return Damage("geometric error", "0 at level 0", tile.geometric_error());
  }
  return absl::OkStatus();
}

absl::Status CheckLayer(const v1::TileLayer& layer, Precision precision) {
  const int max = precision == Precision::kExact ? 0 : wire::kMaxLatticeShift;
  if (layer.lattice_shift() <= static_cast<std::uint32_t>(max)) return absl::OkStatus();
  return Damage("lattice shift", max == 0 ? "0" : absl::StrCat("0 to ", max),
                layer.lattice_shift());
}

std::uint64_t ExpectedTag(const std::string& world_id, const wire::TileKey& key,
                          const TileForm& form) {
  std::uint32_t layers = 0;
  for (const Layer layer : form.layers) layers |= 1U << static_cast<unsigned>(layer);
  return wire::TileTag(world_id, key, layers, static_cast<std::uint32_t>(form.precision));
}

}  // namespace thalweg
