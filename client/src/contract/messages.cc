#include "client/src/contract/messages.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"
#include "thalweg/layer.h"

namespace thalweg {
namespace {

std::vector<LayerDescription> Describe() {
  std::vector<LayerDescription> layers;
  for (const v1::Layer layer : wire::AllLayers()) {
    const v1::LayerFacts& facts = wire::FactsOf(layer);
    layers.push_back(
        {static_cast<Layer>(layer), facts.name(), facts.unit(), facts.scale(), facts.text()});
  }
  return layers;
}

// A character of UTF-8: its code point, and its number of bytes. 0 bytes: invalid.
struct Character {
  std::uint32_t number = 0;
  std::size_t bytes = 0;
};

// Unicode 15, table 3-7: no form longer than needed, no surrogates, nothing above U+10FFFF.
Character First(std::string_view text) {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t number = lead & (0xFFU >> (bytes + 1));
  for (std::size_t n = 1; n < bytes; ++n) {
    if ((byte(n) & 0xC0U) != 0x80) return {};
    number = number << 6 | (byte(n) & 0x3FU);
  }
  constexpr std::uint32_t kMin[] = {0, 0, 0x80, 0x800, 0x1'0000};
  const bool surrogate = number >= 0xD800 && number <= 0xDFFF;
  if (number < kMin[bytes] || number > 0x10'FFFF || surrogate) return {};
  return {number, bytes};
}

bool IsShown(std::uint32_t number) {
  const auto within = [number](std::uint32_t first, std::uint32_t last) {
    return number >= first && number <= last;
  };
  const bool control = number < 0x20 || within(0x7F, 0x9F);
  const bool turns = within(0x200E, 0x200F) || within(0x2028, 0x202E) || within(0x2066, 0x2069);
  return !control && !turns;
}

void Escape(char byte, std::string& line) {
  const std::size_t known = std::string_view("\n\r\t").find(byte);
  if (known != std::string_view::npos) {
    line.append({'\\', "nrt"[known]});
  } else {
    absl::StrAppendFormat(&line, "\\x%02x", static_cast<unsigned char>(byte));
  }
}

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
    return absl::DataLossError(absl::StrCat("the tile has no layer ", name));
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

std::span<const LayerDescription> AllLayers() {
  static const std::vector<LayerDescription>& layers = *new std::vector(Describe());
  return layers;
}

bool IsLayer(int number) { return number >= 1 && number <= static_cast<int>(AllLayers().size()); }

const LayerDescription& DescriptionOf(Layer layer) {
  if (!IsLayer(static_cast<int>(layer))) std::abort();
  return AllLayers()[static_cast<std::size_t>(layer) - 1];
}

std::string_view LayerName(Layer layer) { return DescriptionOf(layer).name; }

std::optional<Layer> LayerFromName(std::string_view name) {
  for (const LayerDescription& description : AllLayers()) {
    if (description.name == name) return description.layer;
  }
  return std::nullopt;
}

std::string CoverName(Cover cover) {
  constexpr std::string_view kPrefix = "COVER_";
  const std::string& name = v1::Cover_Name(static_cast<v1::Cover>(cover));
  if (name.empty()) std::abort();
  return absl::AsciiStrToLower(name.substr(kPrefix.size()));
}

std::string OneLine(std::string_view text, std::size_t max_bytes) {
  std::string line;
  while (!text.empty()) {
    const Character character = First(text);
    const std::size_t before = line.size();
    const std::size_t taken = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes > 0 && IsShown(character.number)) {
      line.append(text.substr(0, taken));
    } else {
      for (const char byte : text.substr(0, taken)) Escape(byte, line);
    }
    if (line.size() > max_bytes) {
      line.resize(before);
      return line + "...";
    }
    text.remove_prefix(taken);
  }
  return line;
}

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
  return text::WorldFromAny(specification);
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
