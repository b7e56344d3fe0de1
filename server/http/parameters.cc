#include "server/http/parameters.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"
#include "proto/wire/invalid.h"
#include "proto/wire/rounded.h"
#include "proto/wire/status_macros.h"
#include "server/http/target.h"

namespace thalweg::http {
namespace {

// Parameters that pages add so that caches ask again. They change nothing.
constexpr std::string_view kForCaches[] = {"_", "cb", "nocache", "t", "timestamp", "ts", "v"};
// Names under which other servers take a token.
constexpr std::string_view kSecrets[] = {"access_token", "api_key", "apikey", "key", "token"};

bool Has(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

double TileMetres(const world::World& world) {
  return world.level(0).cell_size_m * wire::kTileCells;
}

// The index of the window's first tile along an axis.
absl::StatusOr<std::int64_t> ParseCorner(const Parameters& parameters, const char* name, int bits,
                                         double tile_m) {
  const std::string* const text = parameters.Find(name);
  const auto centre_m = text == nullptr ? std::optional(0.0) : ParseReal(*text);
  if (!centre_m) {
    return InvalidText(name, "the window's centre in metres, as in -2500.5 or 1e6", *text);
  }
  if (const auto corner = wire::WindowCorner(*centre_m, bits, tile_m)) return *corner;
  constexpr double kMaxTiles = static_cast<double>(wire::kMaxVertex) / wire::kTileCells;
  return wire::Invalid(
      name, absl::StrCat("a centre within ", wire::MaxText(kMaxTiles * tile_m), " m of the origin"),
      PrintReal(*centre_m));
}

}  // namespace

absl::Status InvalidText(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                         absl::string_view got, absl::StatusCode code) {
  return wire::Invalid(what, expected, absl::StrCat("'", absl::Utf8SafeCHexEscape(got), "'"), code);
}

absl::StatusOr<Parameters> Parameters::Parse(const List& list,
                                             const std::vector<std::string_view>& known) {
  Parameters parameters;
  for (const auto& parameter : list) {
    if (Has(kForCaches, parameter.first)) continue;
    if (Has(kSecrets, parameter.first)) {
      return InvalidText("parameter",
                         "a token in the header Authorization, since URLs are logged and shared",
                         parameter.first);
    }
    if (std::find(known.begin(), known.end(), parameter.first) == known.end()) {
      const std::vector<std::string> names(known.begin(), known.end());
      return InvalidText(
          "parameter", names.empty() ? "none" : absl::StrCat("one of ", absl::StrJoin(names, ", ")),
          parameter.first);
    }
    if (parameters.Find(parameter.first) != nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(parameter.first, " is given twice"));
    }
    parameters.list_.push_back(parameter);
  }
  return parameters;
}

const std::string* Parameters::Find(std::string_view name) const {
  const auto found = std::find_if(list_.begin(), list_.end(), [name](const auto& parameter) {
    return parameter.first == name;
  });
  return found == list_.end() ? nullptr : &found->second;
}

absl::StatusOr<MapWindow> ParseWindow(const Parameters& parameters, const world::World& world) {
  if (world.spec().has_sphere()) {
    return wire::Invalid("world", "a plane, of which a web map shows a window",
                         absl::StrCat("the planet '", world.name(), "'"));
  }
  MapWindow window;
  if (const std::string* const text = parameters.Find("window")) {
    const auto bits = ParseDecimal(*text);
    if (!bits || *bits < 0 || *bits > wire::kMaxWindowBits) {
      return InvalidText("window",
                         absl::StrCat("0 to ", wire::kMaxWindowBits,
                                      " (the map is 2^window tiles of level 0 wide)"),
                         *text);
    }
    window.bits = static_cast<int>(*bits);
  }
  const double tile_m = TileMetres(world);
  THALWEG_ASSIGN_OR_RETURN(window.west, ParseCorner(parameters, "x", window.bits, tile_m));
  THALWEG_ASSIGN_OR_RETURN(window.north, ParseCorner(parameters, "y", window.bits, tile_m));
  return window;
}

std::string QueryOf(const MapWindow& window, const world::World& world) {
  const double half = std::exp2(window.bits) / 2;
  const auto centre = [&](std::int64_t corner) {
    return PrintReal((static_cast<double>(corner) + half) * TileMetres(world));
  };
  return absl::StrCat("window=", window.bits, "&x=", centre(window.west),
                      "&y=", centre(window.north));
}

}  // namespace thalweg::http
