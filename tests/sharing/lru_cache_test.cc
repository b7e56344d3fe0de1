#include "server/sharing/lru_cache.h"

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <random>

namespace thalweg::sharing {
namespace {

using Value = std::shared_ptr<const int>;
using Cache = LruCache<int, Value>;

TEST(LruCacheTest, WithoutBytesKeepsNothing) {
  Cache cache(0);
  cache.Insert(1, std::make_shared<const int>(1), 1);
  EXPECT_EQ(cache.Find(1), nullptr);
}

TEST(LruCacheTest, DoesNotKeepWhatExceedsItsBudget) {
  Cache cache(10);
  cache.Insert(1, std::make_shared<const int>(1), 3);
  cache.Insert(2, std::make_shared<const int>(2), 11);
  EXPECT_NE(cache.Find(1), nullptr);
  EXPECT_EQ(cache.Find(2), nullptr);
  EXPECT_EQ(cache.stats().entries, 1U);
}

// Compares it with a plain list, for random keys and costs.
TEST(LruCacheTest, KeepsTheMostRecentlyUsedWithinItsBudget) {
  constexpr std::size_t kBudget = 100;
  std::mt19937_64 random(20261123);
  Cache cache(kBudget);
  struct Kept {
    int key;
    std::size_t cost;
  };
  std::list<Kept> model;  // the most recently used one first
  std::uint64_t evictions = 0;
  const auto bytes = [&model] {
    std::size_t sum = 0;
    for (const Kept& kept : model) sum += kept.cost;
    return sum;
  };
  for (int step = 0; step < 10'000; ++step) {
    const int key = static_cast<int>(random() % 20);
    auto kept = model.begin();
    while (kept != model.end() && kept->key != key) ++kept;
    const Value found = cache.Find(key);
    ASSERT_EQ(found != nullptr, kept != model.end());
    if (kept != model.end()) {
      ASSERT_EQ(*found, key);
      model.splice(model.begin(), model, kept);
      continue;
    }
    const std::size_t cost = 1 + random() % 40;
    cache.Insert(key, std::make_shared<const int>(key), cost);
    for (; bytes() + cost > kBudget; ++evictions) model.pop_back();
    model.push_front({key, cost});
  }
  EXPECT_EQ(cache.stats().cost, bytes());
  EXPECT_EQ(cache.stats().entries, model.size());
  EXPECT_EQ(cache.stats().evictions, evictions);
  EXPECT_GT(evictions, 1'000U);
}

}  // namespace
}  // namespace thalweg::sharing
