#include "server/raster/raster_cache.h"

#include <gtest/gtest.h>

namespace thalweg::raster {
namespace {

RasterBytes BytesOf(std::size_t size) { return std::make_shared<const std::string>(size, 'x'); }

TEST(RasterCacheTest, KeepsWhatWasUsedLast) {
  RasterCache cache(4'000);
  cache.Insert("a", BytesOf(1'000));
  cache.Insert("b", BytesOf(1'000));
  EXPECT_NE(cache.Find("a"), nullptr);
  cache.Insert("c", BytesOf(1'000));
  EXPECT_EQ(cache.Find("b"), nullptr);
  EXPECT_NE(cache.Find("a"), nullptr);
  EXPECT_NE(cache.Find("c"), nullptr);
  EXPECT_EQ(cache.stats().evictions, 1U);
  EXPECT_LE(cache.stats().bytes, 4'000U);
  cache.Insert("d", BytesOf(10'000));
  EXPECT_EQ(cache.Find("d"), nullptr);
  EXPECT_EQ(cache.stats().rasters, 2U);
}

TEST(RasterCacheTest, OfNoBytesKeepsNothing) {
  RasterCache cache(0);
  cache.Insert("a", BytesOf(0));
  EXPECT_EQ(cache.Find("a"), nullptr);
}

}  // namespace
}  // namespace thalweg::raster
