#include "client/src/contract/messages.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "client/src/contract/keys.h"
#include "client/src/contract/one_line.h"
#include "proto/text/message_text.h"
#include "proto/text/world_text.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"

namespace thalweg {
namespace {

// The library's enumerations are cast to the contract's.
static_assert(static_cast<int>(Precision::kLattice) == v1::PRECISION_LATTICE &&
              static_cast<int>(Precision::kExact) == v1::PRECISION_EXACT);
static_assert(static_cast<int>(Priority::kInteractive) == v1::PRIORITY_INTERACTIVE &&
              static_cast<int>(Priority::kPrefetch) == v1::PRIORITY_PREFETCH &&
              static_cast<int>(Priority::kBake) == v1::PRIORITY_BAKE);

absl::Status LayerError(const std::string& name, const absl::Status& status) {
  return absl::DataLossError(absl::StrCat("layer ", name, ": ", status.message()));
}

absl::StatusOr<Plane> DecodePlane(const v1::Tile& message, Layer wanted, Precision precision) {
  const auto found =
      std::find_if(message.layers().begin(), message.layers().end(), [&](const v1::TileLayer& l) {
        return static_cast<int>(l.layer()) == static_cast<int>(wanted);
      });
  const std::string name(LayerName(wanted));
  if (found == message.layers().end()) {
    return absl::DataLossError(absl::StrCat("invalid layers: expected ", name, ", got none"));
  }
  if (const absl::Status checked = CheckLayer(*found, precision); !checked.ok()) {
    return LayerError(name, checked);
  }
  auto values = wire::DecodeLayer(found->data(), kTileVertices, kTileVertices,
                                  static_cast<int>(found->lattice_shift()));
  if (!values.ok()) return LayerError(name, values.status());
  const auto [min, max] = std::minmax_element(values->begin(), values->end());
  if (found->min() != *min || found->max() != *max) {
    return LayerError(name, absl::DataLossError(absl::StrCat("invalid min and max: expected ", *min,
                                                             " and ", *max, ", got ", found->min(),
                                                             " and ", found->max())));
  }
  return Plane{wanted, *std::move(values), found->min(), found->max()};
}

template <typename Request>
void SetOptions(const TileOptions& options, Request& request) {
  for (const Layer layer : options.layers) request.add_layers(static_cast<v1::Layer>(layer));
  request.set_precision(static_cast<v1::Precision>(options.precision));
  request.set_priority(static_cast<v1::Priority>(options.priority));
}

// Returns the rule of a level: the first that names it; null if none does.
const v1::LevelRule* RuleOf(const v1::WorldSpec& spec, std::uint32_t level) {
  const auto found =
      std::find_if(spec.rules().begin(), spec.rules().end(), [&](const v1::LevelRule& rule) {
        return rule.from_level() <= level && level <= rule.to_level();
      });
  return found == spec.rules().end() ? nullptr : &*found;
}

// Returns the smallest angle of repose among the rule's stages.
std::optional<double> TalusDeg(const v1::LevelRule& rule) {
  std::optional<double> talus_deg;
  for (const v1::Stage& stage : rule.stages()) {
    if (!stage.has_thermal()) continue;
    const double own = stage.thermal().talus_deg();
    talus_deg = std::min(talus_deg.value_or(own), own);
  }
  return talus_deg;
}

}  // namespace

bool WorldInfo::Has(Layer layer) const {
  return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

double WorldInfo::CellSizeM(int level) const { return std::ldexp(cell_size_m, -level); }

absl::StatusOr<WorldInfo> FromMessage(const v1::World& message) {
  THALWEG_RETURN_IF_ERROR(CheckWorld(message));
  const v1::WorldSpec& spec = message.spec();
  THALWEG_ASSIGN_OR_RETURN(std::string specification, text::ToJsonLine(spec));
  WorldInfo info{.name = spec.name(),
                 .description = OneLine(spec.description()),
                 .id = absl::BytesToHexString(message.id()),
                 .seed = spec.seed(),
                 .generator_version = message.generator_version(),
                 .cell_size_m = spec.cell_size_m(),
                 .levels = static_cast<int>(spec.levels()),
                 .sea_level_m = std::nullopt,
                 .talus_deg = {},
                 .layers = {},
                 .max_vertex = message.max_vertex(),
                 .specification = std::move(specification),
                 .showplace = {spec.showplace().east_m(),
                               spec.showplace().south_m(),
                               spec.showplace().side_m(),
                               {spec.showplace().latitude_deg(), spec.showplace().longitude_deg()}},
                 .georeference = std::nullopt,
                 .radius_m = spec.sphere().radius_m(),
                 .level_costs = {message.level_costs().begin(), message.level_costs().end()}};
  if (spec.has_sea_level_m()) info.sea_level_m = spec.sea_level_m();
  if (spec.has_georeference()) {
    const v1::Georeference& georeference = spec.georeference();
    info.georeference = {
        .crs = georeference.crs(), .east = georeference.east(), .north = georeference.north()};
  }
  for (std::uint32_t level = 0; level < spec.levels(); ++level) {
    const v1::LevelRule* rule = RuleOf(spec, level);
    info.talus_deg.push_back(rule == nullptr ? std::nullopt : TalusDeg(*rule));
  }
  for (const int layer : message.layers()) {
    if (IsLayer(layer)) info.layers.push_back(static_cast<Layer>(layer));
  }
  return info;
}

absl::StatusOr<v1::WorldSpec> ParseWorldSpec(const std::string& specification) {
  const std::size_t begin = specification.find_first_not_of(" \t\r\n");
  const bool is_json = begin != std::string::npos && specification[begin] == '{';
  return is_json ? text::WorldFromJson(specification) : text::WorldFromText(specification);
}

TileKey FromMessage(const v1::TileKey& message) { return ToPublic(ToWire(message)); }

absl::StatusOr<Tile> FromMessage(const v1::Tile& message, const TileForm& form) {
  const auto error = [&](const absl::Status& status) {
    return absl::DataLossError(
        absl::StrCat("tile ", Describe(FromMessage(message.key())), ": ", status.message()));
  };
  if (const absl::Status checked = CheckTile(message, form); !checked.ok()) return error(checked);
  Tile tile{.key = FromMessage(message.key()),
            .world_id = absl::BytesToHexString(message.world_id()),
            .generator_version = message.generator_version(),
            .planes = {},
            .geometric_error_q16 = message.geometric_error(),
            .wire_bytes = message.ByteSizeLong()};
  for (const Layer layer : form.layers) {
    auto plane = DecodePlane(message, layer, form.precision);
    if (!plane.ok()) return error(plane.status());
    tile.planes.push_back(*std::move(plane));
  }
  return tile;
}

v1::GetTileRequest TileRequestMessage(const std::string& world, const TileKey& key,
                                      const TileOptions& options) {
  v1::GetTileRequest request;
  request.set_world(world);
  *request.mutable_key() = ToMessage(ToWire(key));
  SetOptions(options, request);
  return request;
}

v1::StreamTilesRequest StreamRequestMessage(const std::string& world,
                                            const TileRectangle& rectangle,
                                            const TileOptions& options) {
  v1::StreamTilesRequest request;
  request.set_world(world);
  *request.mutable_first() = ToMessage(ToWire(rectangle.first));
  request.set_columns(static_cast<std::uint32_t>(rectangle.columns));
  request.set_rows(static_cast<std::uint32_t>(rectangle.rows));
  SetOptions(options, request);
  return request;
}

std::string Describe(const TileKey& key) {
  const std::string name = absl::StrCat(key.level, "/", key.x, "/", key.y);
  return key.face == 0 ? name : absl::StrCat("face ", key.face, " ", name);
}

}  // namespace thalweg
