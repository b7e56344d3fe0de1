#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <cstring>
#include <map>

#include "client/tools/picture/relief.h"
#include "proto/picture/image.h"

namespace thalweg::picture {
namespace {

// A PNG that libpng has read.
struct Read {
  int width = 0;
  int height = 0;
  int bits = 0;
  int color_type = 0;
  std::vector<std::uint8_t> bytes;
  std::map<std::string, std::string> texts;
};

struct Source {
  const std::vector<std::uint8_t>& bytes;
  std::size_t at = 0;
};

Read ReadPng(const std::vector<std::uint8_t>& bytes) {
  Read read;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  Source source{bytes};
  png_set_read_fn(png, &source, [](png_structp p, png_bytep data, std::size_t size) {
    auto* from = static_cast<Source*>(png_get_io_ptr(p));
    if (from->at + size > from->bytes.size()) png_error(p, "too short");
    std::memcpy(data, from->bytes.data() + from->at, size);
    from->at += size;
  });
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  read.width = static_cast<int>(png_get_image_width(png, info));
  read.height = static_cast<int>(png_get_image_height(png, info));
  read.bits = png_get_bit_depth(png, info);
  read.color_type = png_get_color_type(png, info);
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  for (int y = 0; y < read.height; ++y) {
    const png_bytep row = png_get_rows(png, info)[y];
    read.bytes.insert(read.bytes.end(), row, row + row_bytes);
  }
  png_textp texts = nullptr;
  const int count = png_get_text(png, info, &texts, nullptr);
  for (int i = 0; i < count; ++i) read.texts[texts[i].key] = texts[i].text;
  png_destroy_read_struct(&png, &info, nullptr);
  return read;
}

ByteSink Into(std::vector<std::uint8_t>& bytes) {
  return [&bytes](std::span<const std::uint8_t> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return absl::OkStatus();
  };
}

TEST(PngTest, ColoursReadBack) {
  Image image(3, 2);
  image.Set(0, 0, {1, 0, 0});
  image.Set(2, 1, {0, 0.5F, 1});
  std::vector<std::uint8_t> bytes;
  ASSERT_TRUE(WritePng(image, {{"world", "alpine"}}, Into(bytes)).ok());
  const Read read = ReadPng(bytes);
  EXPECT_EQ(read.width, 3);
  EXPECT_EQ(read.height, 2);
  EXPECT_EQ(read.bits, 8);
  EXPECT_EQ(read.color_type, PNG_COLOR_TYPE_RGB);
  EXPECT_EQ(read.bytes, image.rgb);
  EXPECT_EQ(read.texts.at("world"), "alpine");
}

TEST(PngTest, SixteenBitValuesReadBackLinearly) {
  const std::vector<std::int32_t> values = {-1000, 0, 500, 1000, 2000, 5000};
  std::vector<std::uint8_t> bytes;
  ASSERT_TRUE(WritePng16(values, 3, 2, -1000, 2000, {{"min_m", "-1000"}}, Into(bytes)).ok());
  const Read read = ReadPng(bytes);
  EXPECT_EQ(read.bits, 16);
  EXPECT_EQ(read.color_type, PNG_COLOR_TYPE_GRAY);
  ASSERT_EQ(read.bytes.size(), 12U);
  std::vector<int> grey;
  for (std::size_t i = 0; i < 6; ++i)
    grey.push_back(read.bytes[2 * i] << 8 | read.bytes[2 * i + 1]);
  EXPECT_THAT(grey, testing::ElementsAre(0, 21845, 32768, 43690, 65535, 65535));
  EXPECT_EQ(read.texts.at("min_m"), "-1000");
}

TEST(PngTest, SixteenBitValuesTakeAnyRange) {
  std::vector<std::uint8_t> bytes;
  ASSERT_TRUE(WritePng16(std::vector<std::int32_t>{INT32_MIN, INT32_MAX}, 2, 1, INT32_MIN,
                         INT32_MAX, {}, Into(bytes))
                  .ok());
  EXPECT_THAT(ReadPng(bytes).bytes, testing::ElementsAre(0, 0, 255, 255));
  bytes.clear();
  ASSERT_TRUE(WritePng16(std::vector<std::int32_t>{7, 7}, 2, 1, 7, 7, {}, Into(bytes)).ok());
  EXPECT_THAT(ReadPng(bytes).bytes, testing::Each(0));
}

TEST(PngTest, ReturnsTheErrorOfTheSink) {
  const Image image(600, 600);
  int calls = 0;
  const absl::Status status = WritePng(image, {}, [&](std::span<const std::uint8_t>) {
    return ++calls < 3 ? absl::OkStatus() : absl::ResourceExhaustedError("disk full");
  });
  EXPECT_EQ(status, absl::ResourceExhaustedError("disk full"));
}

// Three normals: up, east and north.
TEST(NormalPng16Test, IsALinearNormalMap) {
  const std::vector<std::int32_t> normals = {0, 32767, static_cast<std::int32_t>(0x8001'0000U)};
  std::vector<std::uint8_t> bytes;
  const absl::Status status =
      WriteNormalPng16(normals, 3, 1, {}, [&](std::span<const std::uint8_t> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
        return absl::OkStatus();
      });
  ASSERT_TRUE(status.ok()) << status;
  const Read read = ReadPng(bytes);
  EXPECT_EQ(read.bits, 16);
  EXPECT_EQ(read.color_type, PNG_COLOR_TYPE_RGB);
  std::vector<int> parts;
  for (std::size_t i = 0; i + 1 < read.bytes.size(); i += 2) {
    parts.push_back(read.bytes[i] << 8 | read.bytes[i + 1]);
  }
  EXPECT_THAT(parts,
              testing::ElementsAre(32768, 32768, 65535, 65535, 32768, 32768, 32768, 65535, 32768));
}

}  // namespace
}  // namespace thalweg::picture
