#include "server/rpc/call_listener.h"

#include <array>

namespace thalweg::rpc {

std::string_view NameOf(Method method) {
  static constexpr std::array<std::string_view, kMethodCount> kNames{
      "ListWorlds", "GetWorld",      "GetTile",     "StreamTiles",
      "Session",    "SampleHeights", "CreateWorld", "DeleteWorld"};
  return kNames[static_cast<std::size_t>(method)];
}

}  // namespace thalweg::rpc
