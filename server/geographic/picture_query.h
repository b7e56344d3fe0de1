// A request for a planet's picture, as a tile of a map.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/geographic/tiling.h"
#include "server/raster/raster_service.h"
#include "server/tile/tile_query.h"

namespace thalweg::geographic {

// Pixels on a side.
inline constexpr int kPicturePixels = 256;

enum class Picture : std::uint8_t { kSatellite, kRelief, kCover };

// The picture called "satellite", "relief" or "cover"; empty for other names.
std::optional<Picture> PictureOf(std::string_view name);
std::string_view NameOf(Picture picture);

struct PictureQuery {
  // World, client and payer. Other members are not used.
  tile::TileQuery tile_query;
  Picture picture = Picture::kSatellite;
  Tiling tiling = Tiling::kGeographic;
  // Rows count from the north.
  GlobeTile tile;
};

int MaxPictureZoom(const world::World& world, Tiling tiling);

// INVALID_ARGUMENT unless the world is a planet, NOT_FOUND unless its pyramid has the tile.
absl::StatusOr<PictureQuery> ParsePictureQuery(const std::shared_ptr<const world::World>& world,
                                               Picture picture, Tiling tiling,
                                               const GlobeTile& tile);

// A text that decides the picture's bytes.
std::string IdentityOf(const PictureQuery& query);

// The recipe of the picture, a PNG.
raster::Recipe RecipeOf(const PictureQuery& query);

}  // namespace thalweg::geographic
