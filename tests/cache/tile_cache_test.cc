#include "server/cache/tile_cache.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace thalweg::cache {
namespace {

TileId IdOf(std::int64_t x) { return {.world = {1, 2}, .key = {0, 3, x, -x}, .layers = 2}; }

TileBytes BytesOf(std::int64_t x, std::size_t size) {
  return std::make_shared<const std::string>(size, static_cast<char>('a' + x % 26));
}

std::size_t CostOf(std::size_t size) {
  return BytesOf(0, size)->capacity() + TileCache::kEntryOverheadBytes;
}

TEST(TileCacheTest, ReturnsTheSharedBytes) {
  TileCache cache(1 << 20);
  EXPECT_EQ(cache.Find(IdOf(7)).bytes, nullptr);
  const TileBytes bytes = BytesOf(7, 1'000);
  cache.Insert(IdOf(7), {bytes, {}});
  EXPECT_EQ(cache.Find(IdOf(7)).bytes.get(), bytes.get());
  EXPECT_EQ(cache.stats().hits, 1U);
  EXPECT_EQ(cache.stats().misses, 1U);
}

TEST(TileCacheTest, DistinguishesIds) {
  TileCache cache(1 << 20);
  const TileId id = IdOf(7);
  cache.Insert(id, {BytesOf(7, 10), {}});
  std::vector<TileId> others(7, id);
  others[0].world[0] ^= 1;
  others[1].world[1] ^= 1;
  others[2].key.level += 1;
  others[3].key.x += 1;
  others[4].key.y += 1;
  others[5].layers ^= 4;
  others[6].precision ^= 1;
  for (const TileId& other : others) EXPECT_EQ(cache.Find(other).bytes, nullptr);
}

TEST(TileCacheTest, DropsTheLeastRecentlyUsed) {
  TileCache cache(3 * CostOf(1'000));
  for (std::int64_t x = 0; x < 3; ++x) cache.Insert(IdOf(x), {BytesOf(x, 1'000), {}});
  ASSERT_NE(cache.Find(IdOf(0)).bytes, nullptr);
  cache.Insert(IdOf(3), {BytesOf(3, 1'000), {}});
  EXPECT_NE(cache.Find(IdOf(0)).bytes, nullptr);
  EXPECT_EQ(cache.Find(IdOf(1)).bytes, nullptr);
  EXPECT_NE(cache.Find(IdOf(2)).bytes, nullptr);
  EXPECT_EQ(cache.stats().evictions, 1U);
}

TEST(TileCacheTest, CountsOverhead) {
  TileCache cache(10 * TileCache::kEntryOverheadBytes);
  for (std::int64_t x = 0; x < 1'000; ++x) cache.Insert(IdOf(x), {BytesOf(x, 0), {}});
  EXPECT_LT(cache.stats().entries, 10U);
}

TEST(TileCacheTest, DoesNotKeepATileThatIsTooLarge) {
  TileCache cache(10'000);
  cache.Insert(IdOf(0), {BytesOf(0, 100), {}});
  cache.Insert(IdOf(1), {BytesOf(1, 10'000), {}});
  EXPECT_NE(cache.Find(IdOf(0)).bytes, nullptr);
  EXPECT_EQ(cache.Find(IdOf(1)).bytes, nullptr);
}

TEST(TileCacheTest, KeepsNothingWithoutBudget) {
  TileCache cache(0);
  cache.Insert(IdOf(0), {BytesOf(0, 0), {}});
  EXPECT_EQ(cache.Find(IdOf(0)).bytes, nullptr);
  EXPECT_EQ(cache.stats().cost, 0U);
}

// Compares it, with one shard, with a simple LRU list, for random operations.
TEST(TileCacheTest, AgreesWithAPlainList) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    constexpr std::size_t kBudget = 20'000;
    TileCache cache(kBudget);
    std::deque<std::pair<std::int64_t, TileBytes>> plain;  // the most recently used one first
    std::size_t plain_bytes = 0;
    for (int round = 0; round < 2'000; ++round) {
      const auto x = static_cast<std::int64_t>(random() % 40);
      const auto place = std::find_if(plain.begin(), plain.end(),
                                      [x](const auto& entry) { return entry.first == x; });
      const TileBytes found = cache.Find(IdOf(x)).bytes;
      ASSERT_EQ(found != nullptr, place != plain.end());
      if (found != nullptr) {
        ASSERT_EQ(found, place->second);
        const auto entry = *place;
        plain.erase(place);
        plain.push_front(entry);
        continue;
      }
      const TileBytes bytes = BytesOf(x, random() % 3'000);
      cache.Insert(IdOf(x), {bytes, {}});
      plain_bytes += bytes->capacity() + TileCache::kEntryOverheadBytes;
      plain.emplace_front(x, bytes);
      while (plain_bytes > kBudget) {
        plain_bytes -= plain.back().second->capacity() + TileCache::kEntryOverheadBytes;
        plain.pop_back();
      }
      ASSERT_EQ(cache.stats().cost, plain_bytes);
    }
  }
}

TEST(TileCacheTest, StaysInBudgetUnderManyThreads) {
  constexpr std::size_t kBudget = std::size_t{16} << 20;
  TileCache cache(kBudget);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&cache, seed] {
      std::mt19937_64 random(seed);
      for (int round = 0; round < 5'000; ++round) {
        const auto x = static_cast<std::int64_t>(random() % 2'000);
        const TileBytes found = cache.Find(IdOf(x)).bytes;
        if (found == nullptr) {
          cache.Insert(IdOf(x), {BytesOf(x, 20'000), {}});
        } else {
          ASSERT_EQ(*found, *BytesOf(x, 20'000));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const sharing::LruStats stats = cache.stats();
  EXPECT_LE(stats.cost, kBudget);
  EXPECT_GT(stats.entries, 100U);
  EXPECT_EQ(stats.hits + stats.misses, 20'000U);
}

}  // namespace
}  // namespace thalweg::cache
