// Rasters as clients decode them: equal on shared edges, and with the original heights.
#include "server/raster/render.h"

#include <Lerc_c_api.h>
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "proto/wire/tile_codec.h"
#include "server/tile/layers/tile_ground.h"
#include "tests/field/test_world.h"

namespace thalweg::raster {
namespace {

// Pixels that libpng has read, as bytes. A pixel has `pixel_bytes` of them.
struct Pixels {
  int width = 0;
  std::size_t pixel_bytes = 0;
  std::vector<std::uint8_t> bytes;

  std::vector<std::uint8_t> At(int x, int y) const {
    const auto begin =
        bytes.begin() + (std::ptrdiff_t{y} * width + x) * static_cast<std::ptrdiff_t>(pixel_bytes);
    return {begin, begin + static_cast<std::ptrdiff_t>(pixel_bytes)};
  }
};

Pixels ReadPng(const std::string& file) {
  struct Source {
    const std::string& bytes;
    std::size_t at = 0;
  } source{file};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_read_fn(png, &source, [](png_structp p, png_bytep data, std::size_t size) {
    auto* from = static_cast<Source*>(png_get_io_ptr(p));
    if (from->at + size > from->bytes.size()) png_error(p, "too short");
    std::memcpy(data, from->bytes.data() + from->at, size);
    from->at += size;
  });
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  Pixels pixels;
  pixels.width = static_cast<int>(png_get_image_width(png, info));
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  pixels.pixel_bytes = row_bytes / static_cast<std::size_t>(pixels.width);
  for (png_uint_32 y = 0; y < png_get_image_height(png, info); ++y) {
    const png_bytep row = png_get_rows(png, info)[y];
    pixels.bytes.insert(pixels.bytes.end(), row, row + row_bytes);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return pixels;
}

std::vector<float> ReadLerc(const std::string& file, int size) {
  std::vector<float> values(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  EXPECT_EQ(lerc_decode(reinterpret_cast<const unsigned char*>(file.data()),
                        static_cast<unsigned int>(file.size()), 0, nullptr, 1, size, size, 1, 6,
                        values.data()),
            0U);
  return values;
}

// Rough ground as a function of the vertex. Its values are not on any lattice.
std::int32_t HeightAt(std::uint64_t seed, std::int64_t x, std::int64_t y) {
  const double wave = 900 * std::sin(0.021 * static_cast<double>(x)) +
                      700 * std::cos(0.013 * static_cast<double>(y));
  std::uint64_t noise = (static_cast<std::uint64_t>(x) * 8'191 + static_cast<std::uint64_t>(y)) ^
                        seed * 0x9E3779B97F4A7C15U;
  noise = (noise ^ noise >> 30) * 0xBF58476D1CE4E5B9U;
  noise = (noise ^ noise >> 27) * 0x94D049BB133111EBU;
  return static_cast<std::int32_t>(65'536 * wave) + static_cast<std::int32_t>(noise >> 44);
}

class RenderTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  RasterQuery QueryOf(Format format, int size, v1::Layer layer = v1::LAYER_HEIGHT) const {
    tile::TileQuery tile_query;
    tile_query.world = world_;
    tile_query.key.level = 2;
    return {.tile_query = tile_query, .format = format, .layer = layer, .size = size};
  }
  // The vertices of a tile that begins at (256 tile_x, 0).
  LayerGrid GridOf(int tile_x, int size) const {
    LayerGrid grid{.size = size, .layers = {}};
    const double run = 2 * 65'536 * world_->level(2).cell_size_m;
    for (int y = 0; y < size; ++y) {
      for (int column = 0; column < size; ++column) {
        const int x = 256 * tile_x + column;
        const auto at = [&](int dx, int dy) { return HeightAt(GetParam(), x + dx, y + dy); };
        grid.layers[v1::LAYER_HEIGHT].push_back(at(0, 0));
        grid.layers[v1::LAYER_NORMAL].push_back(
            tile::NormalOf({1.0 * at(1, 0) - at(-1, 0), 1.0 * at(0, 1) - at(0, -1)}, run));
        grid.layers[v1::LAYER_FLOW].push_back(std::abs(at(0, 0) % 400'000));
        grid.layers[v1::LAYER_SLOPE].push_back(std::abs(at(0, 0)) / 100);
        // Any values are valid covers.
        grid.layers[v1::LAYER_COVER].push_back(std::abs(at(0, 0)) % (100 << 12));
      }
    }
    return grid;
  }
  const std::shared_ptr<const world::World> world_ = field::TestWorld();
};

TEST_P(RenderTest, PicturesAreEqualOnSharedEdges) {
  for (const RasterQuery& query :
       {QueryOf(Format::kRelief, 257), QueryOf(Format::kRelief, 257, v1::LAYER_SLOPE),
        QueryOf(Format::kRelief, 257, v1::LAYER_NORMAL), QueryOf(Format::kTerrarium, 257),
        QueryOf(Format::kRelief, 257, v1::LAYER_COVER),
        QueryOf(Format::kSatellite, 257, v1::LAYER_COVER), QueryOf(Format::kMapbox, 257),
        QueryOf(Format::kPng16, 257), QueryOf(Format::kPng16, 257, v1::LAYER_FLOW)}) {
    const Pixels west = ReadPng(*Render(query, GridOf(0, 257)));
    const Pixels east = ReadPng(*Render(query, GridOf(1, 257)));
    ASSERT_EQ(west.width, 257);
    for (int y = 0; y < 257; ++y) EXPECT_EQ(west.At(256, y), east.At(0, y)) << y;
    // The twin: the column beside it differs.
    int same = 0;
    for (int y = 0; y < 257; ++y) same += west.At(255, y) == east.At(0, y) ? 1 : 0;
    EXPECT_LT(same, 257);
  }
}

TEST_P(RenderTest, LercIsEqualOnSharedEdgesAndOnTheLattice) {
  const RasterQuery query = QueryOf(Format::kLerc, 257);
  const LayerGrid west = GridOf(0, 257);
  const std::vector<float> a = ReadLerc(*Render(query, west), 257);
  const std::vector<float> b = ReadLerc(*Render(query, GridOf(1, 257)), 257);
  const int shift = std::max(7, world::LatticeShift(PixelMetres(query)));
  for (std::size_t y = 0; y < 257; ++y) {
    EXPECT_EQ(a[257 * y + 256], b[257 * y]);
    for (std::size_t x = 0; x < 257; ++x) {
      const std::int32_t height = west.layers.at(v1::LAYER_HEIGHT)[257 * y + x];
      ASSERT_EQ(a[257 * y + x], static_cast<float>(wire::RoundToLattice(height, shift) / 65'536.0));
    }
  }
}

TEST_P(RenderTest, PixelsEncodeTheHeights) {
  const LayerGrid grid = GridOf(3, 256);
  const std::vector<std::int32_t>& heights = grid.layers.at(v1::LAYER_HEIGHT);
  const Pixels terrarium = ReadPng(*Render(QueryOf(Format::kTerrarium, 256), grid));
  const Pixels mapbox = ReadPng(*Render(QueryOf(Format::kMapbox, 256), grid));
  const Pixels grey = ReadPng(*Render(QueryOf(Format::kPng16, 256), grid));
  ASSERT_EQ(terrarium.pixel_bytes, 3U);
  ASSERT_EQ(grey.pixel_bytes, 2U);
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      const std::int32_t height = heights[static_cast<std::size_t>(std::int64_t{y} * 256 + x)];
      const double metres = height / 65'536.0;
      const auto t = terrarium.At(x, y);
      ASSERT_NEAR(t[0] * 256 + t[1] + t[2] / 256.0 - 32'768, metres, 0.5 / 256);
      const auto m = mapbox.At(x, y);
      ASSERT_NEAR((m[0] * 65'536 + m[1] * 256 + m[2]) * 0.1 - 10'000, metres, 0.0501);
      const auto g = grey.At(x, y);
      if (metres > -1'024) {
        ASSERT_NEAR((g[0] * 256 + g[1]) / 8.0 - 1'024, metres, 0.0626);
      }
    }
  }
}

TEST_P(RenderTest, EqualValuesGiveEqualBytes) {
  for (const Format format : {Format::kRelief, Format::kTerrarium, Format::kLerc}) {
    EXPECT_EQ(*Render(QueryOf(format, 257), GridOf(0, 257)),
              *Render(QueryOf(format, 257), GridOf(0, 257)));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RenderTest, testing::Values(1, 2, 3));

}  // namespace
}  // namespace thalweg::raster
