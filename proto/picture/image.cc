#include "proto/picture/image.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <csetjmp>

#include "absl/strings/str_cat.h"

namespace thalweg::picture {
namespace {

// Rounds to the nearest, because the value is never negative.
std::uint8_t ToByte(float value) {
  constexpr float kHalf = 0.5F;
  return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 1.0F) * 255.0F + kHalf);
}

float FromByte(std::uint8_t value) { return static_cast<float>(value) / 255.0F; }

// The state that libpng's callbacks use. An error waits here until libpng has returned.
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
  if (output->status.ok())
    output->status = absl::InternalError(absl::StrCat("write PNG: ", message));
  png_longjmp(png, 1);
}

void Warn(png_structp, png_const_charp) {}

int BitsOf(PngKind kind) { return kind == PngKind::kRgb8 ? 8 : 16; }

int ColorTypeOf(PngKind kind) {
  return kind == PngKind::kGrey16 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
}

// Everything between setjmp and longjmp. It owns nothing, so a jump out of it leaks nothing.
bool Encode(png_structp png, png_infop info, const PngFormat& format,
            const std::vector<png_text>& texts, const PngRow& row) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(format.width),
               static_cast<png_uint_32>(format.height), BitsOf(format.kind),
               ColorTypeOf(format.kind), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (format.fast) {
    // In filtered terrain deflate finds little but runs: this takes half the time of level 1 and no
    // more bytes.
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, Z_RLE);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  }
  // 16-bit pictures are always numbers, not colours.
  if (format.kind == PngKind::kRgb8 && format.colors) {
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  }
  png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
  png_write_info(png, info);
  for (int y = 0; y < format.height; ++y) png_write_row(png, row(y));
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

void Image::Set(int x, int y, Color color) {
  std::uint8_t* pixel = &rgb[Offset(x, y)];
  pixel[0] = ToByte(color.r);
  pixel[1] = ToByte(color.g);
  pixel[2] = ToByte(color.b);
}

Color Image::Get(int x, int y) const {
  const std::uint8_t* pixel = &rgb[Offset(x, y)];
  return {FromByte(pixel[0]), FromByte(pixel[1]), FromByte(pixel[2])};
}

absl::Status WritePngRows(const PngFormat& format, const std::vector<PngText>& texts,
                          const ByteSink& sink, const PngRow& row) {
  std::vector<png_text> chunks;
  for (const PngText& text : texts) {
    png_text chunk = {};
    chunk.compression = PNG_TEXT_COMPRESSION_NONE;
    // libpng copies both strings and changes neither.
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
    return absl::ResourceExhaustedError("write PNG: out of memory");
  }
  png_set_write_fn(png, &output, Write, Flush);
  const bool encoded = Encode(png, info, format, chunks, row);
  png_destroy_write_struct(&png, &info);
  return encoded ? absl::OkStatus() : output.status;
}

absl::Status WritePng(const Image& image, const std::vector<PngText>& texts, const ByteSink& sink) {
  return WritePngRows({.width = image.width, .height = image.height}, texts, sink,
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
  return WritePngRows(
      {.width = width, .height = height, .kind = PngKind::kGrey16}, texts, sink, [&](int y) {
        for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
          const std::int64_t value =
              grey(values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x]);
          bytes[2 * x] = static_cast<std::uint8_t>(value >> 8);
          bytes[2 * x + 1] = static_cast<std::uint8_t>(value & 0xFF);
        }
        return bytes.data();
      });
}

}  // namespace thalweg::picture
