#include "proto/wire/area.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace thalweg::wire {

std::string AreaOf(std::string_view world, const TileKey& key) {
  const int levels = std::max(key.level, 0) % kAreaLevels;
  // World names are not longer; the server refuses other names.
  const std::string name =
      absl::CHexEscape(absl::string_view(world.data(), std::min(world.size(), std::size_t{64})));
  return absl::StrCat(name, "/", key.face, "/", key.level - levels, "/", key.x >> levels, "/",
                      key.y >> levels);
}

}  // namespace thalweg::wire
