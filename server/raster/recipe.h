// How something is made of tiles: a raster of one, pictures and meshes of several.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_query.h"

namespace thalweg::raster {

struct Recipe {
  // A text that decides the bytes.
  std::string identity;
  // Whose turn it is made in; see TileQuery. The caller sets both.
  std::uint64_t client = 0;
  // Pays for making it; null if it is free.
  std::shared_ptr<tile::Payer> payer = nullptr;
  // Returns the exact tiles that it is made of, with client and payer. Takes milliseconds; any
  // thread may call it.
  std::function<std::vector<tile::TileQuery>()> tiles;
  // Makes the bytes from the tiles' contents, in order. Takes milliseconds; any thread may call it.
  std::function<absl::StatusOr<std::string>(std::span<const tile::TileContents>)> make;
};

}  // namespace thalweg::raster
