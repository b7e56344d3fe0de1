// Which calls should reach the same server, if several servers are behind a proxy.
#pragma once

#include <string>
#include <string_view>

#include "proto/wire/tile_key.h"

namespace thalweg::wire {

// The metadata of a GetTile or StreamTiles call that names its tile's area, for proxies to hash.
// Servers don't read it. deploy/nginx finds the same areas from the paths of tiles over HTTP.
inline constexpr char kAreaHeader[] = "x-thalweg-area";

// An area is a tile of level 0, 4, 8, ... with three generations of its descendants. So at three of
// four levels a tile's parent is in the same area, and the same server computes both.
inline constexpr int kAreaLevels = 4;

// Returns "WORLD/FACE/LEVEL/X/Y" of the tile that names the area. ASCII, whatever characters the
// world's name has.
std::string AreaOf(std::string_view world, const TileKey& key);

}  // namespace thalweg::wire
