#include "client/picture/png.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>

#include "absl/strings/str_cat.h"
#include "thalweg/layer.h"

namespace thalweg::picture {
namespace {

using RowFunction = std::function<const std::uint8_t*(int y)>;

// What libpng's callbacks reach; errors wait here until the writing has unwound.
struct Output {
  const ByteSink& sink;
  absl::Status status;
};

void Write(png_structp png, png_bytep data, std::size_t size) {
  auto* output = static_cast<Output*>(png_get_io_ptr(png));
  output->status = output->sink({data, size});
  if (!output->status.ok()) png_error(png, "output");
}

void Flush(png_structp) {}

[[noreturn]] void Fail(png_structp png, png_const_charp message) {
  auto* output = static_cast<Output*>(png_get_error_ptr(png));
  if (output->status.ok()) output->status = absl::InternalError(absl::StrCat("libpng: ", message));
  png_longjmp(png, 1);
}

void Warn(png_structp, png_const_charp) {}

struct Format {
  int width;
  int height;
  int bits;
  int color_type;
};

// Everything between setjmp and longjmp: it owns nothing, so a jump out of it leaks nothing.
bool Encode(png_structp png, png_infop info, const Format& format,
            const std::vector<png_text>& texts, const RowFunction& row) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(format.width),
               static_cast<png_uint_32>(format.height), format.bits, format.color_type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  // Sixteen bits are numbers, no colours.
  if (format.bits == 8) {
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  }
  png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
  png_write_info(png, info);
  for (int y = 0; y < format.height; ++y) png_write_row(png, row(y));
  png_write_end(png, nullptr);
  return true;
}

absl::Status WriteRows(const Format& format, const std::vector<PngText>& texts,
                       const ByteSink& sink, const RowFunction& row) {
  std::vector<png_text> chunks;
  for (const PngText& text : texts) {
    png_text chunk = {};
    chunk.compression = PNG_TEXT_COMPRESSION_NONE;
    // libpng copies both and changes neither.
    chunk.key = const_cast<char*>(text.keyword.c_str());
    chunk.text = const_cast<char*>(text.text.c_str());
    chunk.text_length = text.text.size();
    chunks.push_back(chunk);
  }
  Output output{sink, absl::OkStatus()};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &output, Fail, Warn);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr) {
    png_destroy_write_struct(&png, nullptr);
    return absl::ResourceExhaustedError("libpng: out of memory");
  }
  png_set_write_fn(png, &output, Write, Flush);
  const bool encoded = Encode(png, info, format, chunks, row);
  png_destroy_write_struct(&png, &info);
  return encoded ? absl::OkStatus() : output.status;
}

}  // namespace

absl::Status WritePng(const Image& image, const std::vector<PngText>& texts, const ByteSink& sink) {
  return WriteRows({image.width, image.height, 8, PNG_COLOR_TYPE_RGB}, texts, sink,
                   [&](int y) { return &image.rgb[image.Offset(0, y)]; });
}

absl::Status WritePng16(std::span<const std::int32_t> values, int width, int height,
                        std::int32_t min, std::int32_t max, const std::vector<PngText>& texts,
                        const ByteSink& sink) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(width) * 2);
  const std::int64_t range = std::int64_t{max} - min;
  const auto grey = [&](std::int32_t value) -> std::int64_t {
    if (range <= 0) return 0;
    return ((std::int64_t{std::clamp(value, min, max)} - min) * 65'535 + range / 2) / range;
  };
  return WriteRows({width, height, 16, PNG_COLOR_TYPE_GRAY}, texts, sink, [&](int y) {
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
      const std::int64_t value =
          grey(values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x]);
      bytes[2 * x] = static_cast<std::uint8_t>(value >> 8);
      bytes[2 * x + 1] = static_cast<std::uint8_t>(value & 0xFF);
    }
    return bytes.data();
  });
}

absl::Status WriteNormalPng16(std::span<const std::int32_t> values, int width, int height,
                              const std::vector<PngText>& texts, const ByteSink& sink) {
  std::vector<std::uint8_t> bytes;
  return WriteRows({width, height, 16, PNG_COLOR_TYPE_RGB}, texts, sink, [&](int y) {
    bytes.clear();
    const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
      const Normal normal = UnpackNormal(values[row + x]);
      for (const float part : {normal.east, -normal.south, normal.up}) {
        const float share = std::clamp(0.5F + 0.5F * part, 0.0F, 1.0F);
        const auto value = static_cast<std::uint16_t>(std::lround(share * 65535.0F));
        bytes.push_back(static_cast<std::uint8_t>(value >> 8));
        bytes.push_back(static_cast<std::uint8_t>(value & 0xFF));
      }
    }
    return bytes.data();
  });
}

}  // namespace thalweg::picture
