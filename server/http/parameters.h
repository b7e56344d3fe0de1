// The parameters of a request's query. Each must be known, and may occur once; those that pages add
// so that caches ask again ("_=1700000000") are left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/tile_key.h"
#include "server/world/world.h"

namespace thalweg::http {

// "invalid <what>: expected <expected>, got '<got>'"; `got` is the caller's text.
absl::Status InvalidText(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                         absl::string_view got,
                         absl::StatusCode code = absl::StatusCode::kInvalidArgument);

class Parameters {
 public:
  using List = std::vector<std::pair<std::string, std::string>>;

  // INVALID_ARGUMENT names a parameter that is not in `known`, or occurs twice, or is a token.
  static absl::StatusOr<Parameters> Parse(const List& list,
                                          const std::vector<std::string_view>& known);

  // Null if the query does not have it.
  const std::string* Find(std::string_view name) const;

 private:
  List list_;
};

// The window of a plane that a URL's query names.
using wire::MapWindow;

// Reads `window`, the window's bits, 0 to 16, and `x` and `y`, its centre in metres. The centre is
// moved to the nearest corner of a tile; for a window of one tile, into the tile. INVALID_ARGUMENT
// for a value that is not a number or out of range, and for a planet.
absl::StatusOr<MapWindow> ParseWindow(const Parameters& parameters, const world::World& world);

// A query that ParseWindow reads as this window: "window=4&x=0&y=0".
std::string QueryOf(const MapWindow& window, const world::World& world);

}  // namespace thalweg::http
