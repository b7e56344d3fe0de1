#include "server/http/content_coding.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

namespace thalweg::http {
namespace {

TEST(ContentCodingTest, IsWhatTheCallerCanRead) {
  EXPECT_EQ(CodingOf("gzip, deflate, br, zstd"), Coding::kZstd);
  EXPECT_EQ(CodingOf("gzip, deflate, br"), Coding::kGzip);
  EXPECT_EQ(CodingOf("GZIP;q=0.5"), Coding::kGzip);
  EXPECT_EQ(CodingOf("zstd;q=0, gzip"), Coding::kGzip);
  EXPECT_EQ(CodingOf("zstd; q=0.0 ,gzip ; q=0"), Coding::kIdentity);
  EXPECT_EQ(CodingOf(""), Coding::kIdentity);
  EXPECT_EQ(CodingOf("br, x-gzip, gzipp"), Coding::kIdentity);
}

TEST(ContentCodingTest, IsUndoneByTheLibraries) {
  std::string text;
  for (int k = 0; k < 5'000; ++k) text += std::to_string(k);
  const std::string zstd = Encode(text, Coding::kZstd);
  std::string read(text.size(), '\0');
  EXPECT_EQ(ZSTD_decompress(read.data(), read.size(), zstd.data(), zstd.size()), text.size());
  EXPECT_EQ(read, text);
  const std::string gzip = Encode(text, Coding::kGzip);
  EXPECT_LT(gzip.size(), text.size());
  z_stream stream = {};
  ASSERT_EQ(inflateInit2(&stream, 31), Z_OK);
  std::string again(text.size(), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(again.data());
  stream.avail_out = static_cast<uInt>(again.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  EXPECT_EQ(again, text);
  EXPECT_EQ(Encode(text, Coding::kIdentity), text);
}

}  // namespace
}  // namespace thalweg::http
