#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "server/field/tile_reader.h"

namespace thalweg::field {
namespace {

using Ids = std::vector<WaitingReads::Id>;

constexpr auto kFits = [](WaitingReads::Id) { return true; };

TEST(WaitingReadsTest, AreOrderedByPriorityThenArrival) {
  WaitingReads reads;
  EXPECT_FALSE(reads.Best().has_value());
  reads.Add(Priority::kBake, 1, 7);
  reads.Add(Priority::kInteractive, 3, 8);
  reads.Add(Priority::kInteractive, 2, 7);
  EXPECT_EQ(reads.Best(), Priority::kInteractive);
  EXPECT_EQ(reads.Take(8, kFits), (Ids{2, 3}));
  EXPECT_EQ(reads.Take(8, kFits), (Ids{1}));
  EXPECT_FALSE(reads.Best().has_value());
}

TEST(WaitingReadsTest, AClientWithoutRoomIsSkipped) {
  WaitingReads reads;
  for (WaitingReads::Id id = 1; id <= 4; ++id) reads.Add(Priority::kInteractive, id, id % 2);
  // The reads of client 1 have odd numbers.
  const auto fits = [](WaitingReads::Id id) { return id % 2 == 0; };
  EXPECT_EQ(reads.Take(8, fits), (Ids{2, 4}));
  EXPECT_TRUE(reads.HoldsBack());
  EXPECT_FALSE(reads.Best().has_value());
  reads.Add(Priority::kInteractive, 5, 1);
  EXPECT_FALSE(reads.Best().has_value());
  reads.Release();
  EXPECT_EQ(reads.Take(8, kFits), (Ids{1, 3, 5}));
  EXPECT_FALSE(reads.HoldsBack());
}

TEST(WaitingReadsTest, AClientMayReadAgainOnceItsReadsAreRemoved) {
  WaitingReads reads;
  reads.Add(Priority::kInteractive, 1, 1);
  EXPECT_TRUE(reads.Take(8, [](WaitingReads::Id) { return false; }).empty());
  reads.Remove(Priority::kInteractive, 1, 1);
  EXPECT_FALSE(reads.HoldsBack());
  reads.Remove(Priority::kInteractive, 1, 1);
  reads.Add(Priority::kBake, 2, 1);
  EXPECT_EQ(reads.Best(), Priority::kBake);
}

// The same as a list that is searched.
TEST(WaitingReadsTest, AgreesWithAPlainList) {
  struct Read {
    Priority priority;
    WaitingReads::Id id;
    std::uint64_t client;
  };
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 random(seed);
    WaitingReads reads;
    std::vector<Read> list;
    std::array<bool, 4> held_back{};
    WaitingReads::Id last = 0;
    for (int step = 0; step < 300; ++step) {
      const std::uint64_t what = random() % 6;
      if (what < 3) {
        list.push_back({static_cast<Priority>(random() % 3), ++last, random() % 4});
        reads.Add(list.back().priority, last, list.back().client);
      } else if (what == 3 && !list.empty()) {
        const auto removed = list.begin() + static_cast<std::ptrdiff_t>(random() % list.size());
        const Read read = *removed;
        reads.Remove(read.priority, read.id, read.client);
        list.erase(removed);
        if (std::none_of(list.begin(), list.end(),
                         [&](const Read& other) { return other.client == read.client; })) {
          held_back[read.client] = false;
        }
      } else if (what == 4) {
        reads.Release();
        held_back = {};
      } else {
        const std::uint64_t full = random() % 5;
        const auto client_of = [&](WaitingReads::Id id) {
          return std::find_if(list.begin(), list.end(), [id](const Read& r) { return r.id == id; })
              ->client;
        };
        std::sort(list.begin(), list.end(), [](const Read& a, const Read& b) {
          return std::tie(a.priority, a.id) < std::tie(b.priority, b.id);
        });
        Ids expected;
        std::optional<Priority> best;
        for (const Read& read : list) {
          if (held_back[read.client]) continue;
          if (!best) best = read.priority;
          if (read.priority != *best || expected.size() == 3) break;
          if (read.client == full) {
            held_back[read.client] = true;
          } else {
            expected.push_back(read.id);
          }
        }
        ASSERT_EQ(reads.Best(), best) << "seed " << seed;
        ASSERT_EQ(reads.Take(3, [&](WaitingReads::Id id) { return client_of(id) != full; }),
                  expected)
            << "seed " << seed;
        std::map<std::uint64_t, int> left;
        std::erase_if(list, [&](const Read& read) {
          return std::find(expected.begin(), expected.end(), read.id) != expected.end();
        });
        for (const Read& read : list) ++left[read.client];
        for (std::uint64_t client = 0; client < 4; ++client) {
          if (left[client] == 0) held_back[client] = false;
        }
      }
    }
  }
}

}  // namespace
}  // namespace thalweg::field
