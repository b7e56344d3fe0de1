// How something is made of tiles: rasters of one, and pictures and meshes of several.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"

namespace thalweg::raster {

struct Recipe {
  // What decides the bytes, as text.
  std::string identity;
  // The exact tiles that it is made of, with client and payer. Takes milliseconds; any thread may
  // call it.
  std::function<std::vector<tile::TileQuery>()> tiles;
  // The bytes, from the tiles' contents in their order. Takes milliseconds; any thread may call it.
  std::function<absl::StatusOr<std::string>(std::span<const tile::TileContents>)> make;
};

}  // namespace thalweg::raster
