#include "server/raster/render.h"

#include <algorithm>
#include <array>
#include <vector>

#include "proto/picture/ramp.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster {
namespace {

absl::StatusOr<std::string> Png(picture::PngFormat format, const picture::PngRow& row) {
  std::string bytes;
  format.fast = true;
  THALWEG_RETURN_IF_ERROR(picture::WritePngRows(
      format, {},
      [&bytes](std::span<const std::uint8_t> part) {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
        return absl::OkStatus();
      },
      row));
  bytes.shrink_to_fit();
  return bytes;
}

}  // namespace

std::uint32_t MapboxOf(std::int32_t height) {
  // A height in tenths of a metre is height * 10 / 65,536.
  const std::int64_t tenths = (std::int64_t{height} * 10 + 32'768) >> 16;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(tenths + 100'000, 0, 0xFFFFFF));
}

std::uint16_t GreyOf(std::int32_t value, const v1::GreyScale& scale) {
  const std::uint32_t shift = scale.shift();
  const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
  const std::int64_t grey = (std::int64_t{value} - scale.offset() + half) >> shift;
  return static_cast<std::uint16_t>(std::clamp<std::int64_t>(grey, 0, 65'535));
}

absl::StatusOr<std::string> ColorPng(const picture::Image& image) {
  return Png({.width = image.width, .height = image.height},
             [&](int y) { return &image.rgb[image.Offset(0, y)]; });
}

absl::StatusOr<std::string> RenderTerrarium(const RasterQuery& query, const LayerGrid& grid) {
  THALWEG_ASSIGN_OR_RETURN(const auto heights, ValuesOf(grid, query.layer));
  return picture::ElevationPng(heights, grid.size, picture::TerrariumOf);
}

absl::StatusOr<std::string> RenderMapbox(const RasterQuery& query, const LayerGrid& grid) {
  THALWEG_ASSIGN_OR_RETURN(const auto heights, ValuesOf(grid, query.layer));
  return picture::ElevationPng(heights, grid.size, MapboxOf);
}

absl::StatusOr<std::string> RenderGrey(const RasterQuery& query, const LayerGrid& grid) {
  THALWEG_ASSIGN_OR_RETURN(const auto values, ValuesOf(grid, query.layer));
  const v1::GreyScale& scale = wire::FactsOf(query.layer).grey();
  const auto side = static_cast<std::size_t>(grid.size);
  std::vector<std::uint8_t> bytes(2 * side);
  return Png({.width = grid.size, .height = grid.size, .kind = picture::PngKind::kGrey16},
             [&](int y) {
               const std::int32_t* const row = values.data() + static_cast<std::size_t>(y) * side;
               for (std::size_t x = 0; x < side; ++x) {
                 const std::uint16_t grey = GreyOf(row[x], scale);
                 bytes[2 * x] = static_cast<std::uint8_t>(grey >> 8);
                 bytes[2 * x + 1] = static_cast<std::uint8_t>(grey);
               }
               return bytes.data();
             });
}

absl::StatusOr<std::string> Render(const RasterQuery& query, const LayerGrid& grid) {
  return FactsOf(query.format).render(query, grid);
}

Recipe RecipeOf(const RasterQuery& query) {
  return {
      .identity = IdentityOf(query),
      .tiles = [query] { return TilesOf(query); },
      .make = [query](std::span<const tile::TileContents> tiles) -> absl::StatusOr<std::string> {
        THALWEG_ASSIGN_OR_RETURN(const LayerGrid grid,
                                 MakeLayerGrid(TilesOf(query), tiles, GridSizeOf(query)));
        const bool at_centres = query.registration == Registration::kCentre;
        return Render(query, at_centres ? CentresOf(grid) : grid);
      }};
}

}  // namespace thalweg::raster
