// Which calls had better reach the same server, where several stand behind a proxy.
#pragma once

#include <string>
#include <string_view>

#include "proto/wire/tile_key.h"

namespace thalweg::wire {

// The metadata of a call of GetTile or StreamTiles that names its tile's area, for proxies to hash.
// Servers don't read it. deploy/nginx finds the same areas from the paths of HTTP's tiles.
inline constexpr char kAreaHeader[] = "x-thalweg-area";

// Levels between a tile and the ancestor that stands for its area: 8 x 8 tiles share one, and most
// of what they are computed from.
inline constexpr int kAreaLevels = 3;

// "WORLD/FACE/LEVEL/X/Y" of that ancestor, or of the one of level 0 where there are fewer levels.
// ASCII, whatever the name of the world holds.
std::string AreaOf(std::string_view world, const TileKey& key);

}  // namespace thalweg::wire
