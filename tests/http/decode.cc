#include "tests/http/decode.h"

#include <zlib.h>
#include <zstd.h>

namespace thalweg::http {
namespace {

std::string Inflate(std::string_view coded, std::size_t bytes) {
  constexpr int kGzipWindow = 15 + 16;
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return "";
  std::string text(bytes, '\0');
  // zlib does not change its input. Its type is older than const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(coded.data()));
  stream.avail_in = static_cast<uInt>(coded.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return whole ? text : "";
}

}  // namespace

std::string Decode(std::string_view coded, Coding coding, std::size_t bytes) {
  if (coding == Coding::kIdentity) return std::string(coded);
  if (coding == Coding::kGzip) return Inflate(coded, bytes);
  std::string text(bytes, '\0');
  return ZSTD_decompress(text.data(), bytes, coded.data(), coded.size()) == bytes ? text : "";
}

}  // namespace thalweg::http
