// A request for a raster of a tile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/raster/format.h"
#include "server/tile/tile_query.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// Where a pixel's value is. kCorner: at the pixel's north-western corner, which is a vertex.
// kCentre: in its middle, the mean of its four corners, as readers of pictures expect. A web map's
// reader takes one or the other.
enum class Registration { kCorner, kCentre };

struct RasterQuery {
  // World, key, client and payer. Layers and precision are not used.
  tile::TileQuery tile_query;
  Format format = Format::kRelief;
  // The height for a relief; other layers are drawn over a relief. The cover for a satellite
  // picture.
  v1::Layer layer = v1::LAYER_HEIGHT;
  // Pixels in a row. 257: all vertices of the tile. 256: without the last column and row, which are
  // the neighbours' first. 512: those of the four tiles of the next level in its place.
  int size = 256;
  Registration registration = Registration::kCorner;
};

// Fills in a request. INVALID_ARGUMENT for a layer that the world lacks or the format can't hold,
// and for an unknown size, or one without centres. The query's key must have been checked.
absl::StatusOr<RasterQuery> ParseRasterQuery(tile::TileQuery tile_query, Format format,
                                             std::optional<v1::Layer> layer,
                                             std::optional<int> size,
                                             Registration registration = Registration::kCorner);

// A text that decides the raster's bytes.
std::string IdentityOf(const RasterQuery& query);

// The layers that the raster is drawn from.
tile::LayerChoice SourceLayers(const RasterQuery& query);

// The tiles that it is made of, exact, from west to east and north to south: one, or four of the
// next level.
std::vector<tile::TileQuery> TilesOf(const RasterQuery& query);

// Vertices in a row of the grid that it is made from.
int GridSizeOf(const RasterQuery& query);

// The distance of its pixels in metres.
double PixelMetres(const RasterQuery& query);

}  // namespace thalweg::raster
