// Which calls had better reach the same server, where several stand behind a proxy.
#pragma once

#include <string>
#include <string_view>

#include "proto/wire/tile_key.h"

namespace thalweg::wire {

// The metadata of a call of GetTile or StreamTiles that names its tile's area, for proxies to hash.
// Servers don't read it. deploy/nginx finds the same areas from the paths of HTTP's tiles.
inline constexpr char kAreaHeader[] = "x-thalweg-area";

// An area is a tile of level 0, 4, 8, ... with three generations of its descendants. So a tile's
// parent is of the same area at three levels of four, and is computed by the same server.
inline constexpr int kAreaLevels = 4;

// "WORLD/FACE/LEVEL/X/Y" of the tile that the area is named after. ASCII, whatever the name of the
// world holds.
std::string AreaOf(std::string_view world, const TileKey& key);

}  // namespace thalweg::wire
