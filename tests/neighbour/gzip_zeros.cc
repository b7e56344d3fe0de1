#include "tests/neighbour/gzip_zeros.h"

#include <zlib.h>

#include <cstdlib>

namespace thalweg::neighbour {

std::string GzipOfZeros(std::size_t count) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  z_stream stream{};
  constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    std::abort();
  }
  std::string zeros(kPart, '\0');
  std::string packed(kPart, '\0');
  std::string out;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    if (stream.avail_in == 0 && stream.total_in < count) {
      stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
      stream.avail_in = static_cast<uInt>(zeros.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    result = deflate(&stream, stream.total_in + stream.avail_in < count ? Z_NO_FLUSH : Z_FINISH);
    out.append(packed.data(), packed.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace thalweg::neighbour
