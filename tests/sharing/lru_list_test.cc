#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "server/sharing/lru_cache.h"

namespace thalweg::sharing {
namespace {

using List = LruList<int, int>;

// Compares it with a plain list, the most recently used value first.
TEST(LruListTest, KeepsTheOrderOfUse) {
  std::mt19937 random(20261128);
  List list;
  std::vector<int> model;
  const auto place_of = [&model](int key) { return std::find(model.begin(), model.end(), key); };
  for (int step = 0; step < 20'000; ++step) {
    const int key = static_cast<int>(random() % 12);
    const auto place = place_of(key);
    const bool is_there = place != model.end();
    switch (random() % 6) {
      case 0:
        if (!is_there) {
          EXPECT_EQ(list.Add(key, 10 * key), 10 * key);
          model.insert(model.begin(), key);
        }
        break;
      case 1: {
        const int* const found = list.Look(key);
        ASSERT_EQ(found != nullptr, is_there);
        break;
      }
      case 2: {
        const int* const found = list.Use(key);
        ASSERT_EQ(found != nullptr, is_there);
        if (!is_there) break;
        ASSERT_EQ(*found, 10 * key);
        std::rotate(model.begin(), place, place + 1);
        break;
      }
      case 3:
        if (!is_there) break;
        list.Drop(key);
        model.erase(place);
        break;
      default: {
        // Visits some, and drops, keeps or uses each at random.
        std::size_t left = random() % 4;
        std::vector<std::pair<int, List::Fate>> fates;
        list.Visit([&left] { return left-- > 0; },
                   [&](int value) {
                     const auto fate = static_cast<List::Fate>(random() % 3);
                     fates.emplace_back(value / 10, fate);
                     return fate;
                   });
        std::size_t behind = model.size();
        for (const auto& [visited, fate] : fates) {
          ASSERT_EQ(visited, model[--behind]);
          if (fate == List::Fate::kDrop) model.erase(place_of(visited));
          if (fate == List::Fate::kUse) {
            std::rotate(model.begin(), place_of(visited), place_of(visited) + 1);
            ++behind;
          }
        }
      }
    }
    ASSERT_EQ(list.size(), model.size());
  }
  list.Clear();
  EXPECT_EQ(list.size(), 0U);
  EXPECT_EQ(list.Use(1), nullptr);
}

}  // namespace
}  // namespace thalweg::sharing
