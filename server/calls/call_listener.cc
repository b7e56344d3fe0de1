#include "server/calls/call_listener.h"

#include <array>

namespace thalweg::calls {

std::string_view NameOf(Method method) {
  static constexpr std::array<std::string_view, kMethodCount> kNames{
      "ListWorlds",        "GetWorld",          "GetTile",      "StreamTiles", "Session",
      "SampleHeights",     "CreateWorld",       "DeleteWorld",  "http_worlds", "http_world",
      "http_create_world", "http_delete_world", "http_heights", "http_tile",   "http_tilejson",
      "http_metrics",      "http_other"};
  return kNames[static_cast<std::size_t>(method)];
}

}  // namespace thalweg::calls
