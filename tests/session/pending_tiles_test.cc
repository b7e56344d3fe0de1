#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/geometry/tile_tree.h"
#include "server/session/session_tiles.h"

namespace thalweg::session {
namespace {

using field::Priority;
using wire::TileKey;

cache::FinishedTile TileOf(std::uint64_t number) {
  return {.bytes = std::make_shared<const std::string>(absl::StrCat(number)), .facts = {}};
}

// Random questions, answers and ends over a small tree, compared with a list of what is expected.
template <typename Tiles>
class Trial {
 public:
  explicit Trial(std::uint64_t seed) : random_(seed) { tiles_.SetLayers(1); }

  // The first fault; empty if there is none.
  std::string Run() {
    for (int step = 0; step < 2'000; ++step) {
      Step();
      if (std::string fault = Fault(); !fault.empty()) return absl::StrCat(fault, ", step ", step);
    }
    return "";
  }

 private:
  struct Question {
    TileKey key;
    std::uint64_t number = 0;
    PendingTiles::WaiterPtr waiter;
    Priority priority = Priority::kBake;
    bool ready = false;
  };

  std::uint64_t Below(std::uint64_t end) { return random_() % end; }

  TileKey AnyKey() {
    const int level = static_cast<int>(Below(3));
    return {.level = level, .x = static_cast<std::int64_t>(Below(2U << level))};
  }

  auto Find(const TileKey& key) {
    return std::find_if(expected_.begin(), expected_.end(),
                        [&](const Question& question) { return question.key == key; });
  }

  void Step() {
    switch (Below(8)) {
      case 0:
      case 1:
      case 2:
        return Ask(AnyKey(), static_cast<Priority>(Below(3)));
      case 3:
      case 4:
        return Answer();
      case 5:
      case 6:
        return Take();
      default:
        return GiveUp(AnyKey().x);
    }
  }

  void Ask(const TileKey& key, Priority priority) {
    const auto same = Find(key);
    if (tiles_.IsFull() || (same != expected_.end() && same->ready)) return;
    if (same != expected_.end()) expected_.erase(same);
    const auto waiter = tiles_.Ask(key, priority);
    expected_.push_back({key, asked_.size(), waiter, priority});
    asked_.push_back(expected_.back());
  }

  // Answers any question that was ever asked: an answer may come very late.
  void Answer() {
    if (asked_.empty()) return;
    const Question question = asked_[Below(asked_.size())];
    const auto place = Find(question.key);
    const bool counts =
        place != expected_.end() && place->number == question.number && !place->ready;
    const bool ok = Below(4) > 0;
    const bool taken = tiles_.Answer(
        question.key, question.waiter.get(),
        ok ? absl::StatusOr<cache::FinishedTile>(TileOf(question.number)) : absl::AbortedError(""));
    if (taken != counts) fault_ = absl::StrCat("answer ", question.number, " taken: ", taken);
    if (!counts) return;
    answered_.insert(question.number);
    if (ok) {
      place->ready = true;
    } else {
      expected_.erase(place);
    }
  }

  void Take() {
    const auto first =
        std::find_if(expected_.begin(), expected_.end(), [this](const Question& question) {
          if (!question.ready) return false;
          if (question.key.level == 0) return true;
          const auto parent = Find(lod::ParentOf(question.key));
          return parent == expected_.end() || parent->ready;
        });
    const auto taken = tiles_.TakeReady();
    if (taken.has_value() != (first != expected_.end())) {
      fault_ = absl::StrCat("tile taken: ", taken.has_value());
    } else if (taken &&
               (taken->key != first->key || *taken->tile.bytes != absl::StrCat(first->number))) {
      fault_ = absl::StrCat("expected tile ", first->number, ", got ", *taken->tile.bytes);
    }
    if (first != expected_.end()) expected_.erase(first);
  }

  void GiveUp(std::int64_t x) {
    tiles_.GiveUp([x](const TileKey& key) { return key.x == x; });
    std::erase_if(expected_, [x](const Question& question) { return question.key.x == x; });
  }

  std::string Fault() {
    if (!fault_.empty()) return fault_;
    const auto ready = static_cast<std::size_t>(std::count_if(
        expected_.begin(), expected_.end(), [](const Question& q) { return q.ready; }));
    if (tiles_.size() != expected_.size() || tiles_.ready() != ready ||
        tiles_.asked() != expected_.size() - ready) {
      return absl::StrCat(tiles_.size(), " tiles, ", tiles_.ready(), " ready");
    }
    for (const Question& question : expected_) {
      const auto priority = tiles_.AskedAt(question.key);
      if (!tiles_.Has(question.key) || priority.has_value() == question.ready ||
          (priority && *priority != question.priority)) {
        return absl::StrCat("tile of question ", question.number, " is told wrongly");
      }
    }
    return GivenUpFault();
  }

  // A request must be given up once: when nobody waits for its answer any more, and none came.
  std::string GivenUpFault() {
    for (const auto& waiter : tiles_.TakeGivenUp()) {
      if (!given_up_.insert(waiter).second) return "a request is given up twice";
    }
    for (const Question& question : asked_) {
      const auto place = Find(question.key);
      const bool waits =
          place != expected_.end() && place->number == question.number && !place->ready;
      const bool due = !waits && !answered_.contains(question.number);
      if (given_up_.contains(question.waiter) != due) {
        return absl::StrCat("question ", question.number,
                            due ? " is lost" : " is given up wrongly");
      }
    }
    return "";
  }

  std::mt19937_64 random_;
  Tiles tiles_;
  std::vector<Question> expected_;  // in the order of their numbers
  std::vector<Question> asked_;
  std::set<std::uint64_t> answered_;
  std::set<PendingTiles::WaiterPtr> given_up_;
  std::string fault_;
};

template <typename Tiles>
bool IsFoundOut() {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    if (!Trial<Tiles>(seed).Run().empty()) return true;
  }
  return false;
}

TEST(PendingTilesTest, PromisesHoldUnderRandomEvents) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ASSERT_EQ(Trial<PendingTiles>(seed).Run(), "") << "seed " << seed;
  }
}

// Twins: PendingTiles with faults.

struct LoseRequests : PendingTiles {
  WaiterPtr Ask(const TileKey& key, field::Priority priority) {
    const bool again = AskedAt(key).has_value();
    WaiterPtr waiter = PendingTiles::Ask(key, priority);
    if (again) TakeGivenUp();
    return waiter;
  }
};

struct TakeLateAnswers : PendingTiles {
  bool Answer(const TileKey& key, const tile::TileWaiter* waiter,
              absl::StatusOr<cache::FinishedTile> tile) {
    return PendingTiles::Answer(key, waiter, std::move(tile)) || Has(key);
  }
};

struct KeepReadyTiles : PendingTiles {
  void GiveUp(Condition condition) {
    PendingTiles::GiveUp([&](const TileKey& key) { return AskedAt(key) && condition(key); });
  }
};

struct SendTheChildFirst : PendingTiles {
  std::optional<Ready> TakeReady() {
    if (auto ready = PendingTiles::TakeReady()) return ready;
    // The ready tiles that are left wait for their parents.
    std::optional<Ready> first;
    GiveUp([&](const TileKey& key) {
      if (first || !Has(key) || AskedAt(key)) return false;
      first = Ready{key, TileOf(0)};
      return true;
    });
    return first;
  }
};

TEST(PendingTilesTest, FindsLostRequests) { EXPECT_TRUE(IsFoundOut<LoseRequests>()); }
TEST(PendingTilesTest, FindsLateAnswersThatCount) { EXPECT_TRUE(IsFoundOut<TakeLateAnswers>()); }
TEST(PendingTilesTest, FindsTilesThatAreKept) { EXPECT_TRUE(IsFoundOut<KeepReadyTiles>()); }
TEST(PendingTilesTest, FindsChildrenBeforeTheirParents) {
  EXPECT_TRUE(IsFoundOut<SendTheChildFirst>());
}

TEST(PendingTilesTest, TilesAndBytesHaveALimit) {
  for (std::size_t layers = 1; layers <= 20; ++layers) {
    PendingTiles tiles;
    EXPECT_TRUE(tiles.IsFull());
    tiles.SetLayers(layers);
    while (!tiles.IsFull()) {
      tiles.Ask({.x = static_cast<std::int64_t>(tiles.size())}, Priority::kInteractive);
    }
    const std::size_t tile_bytes = layers * 257 * 257 * 4;
    EXPECT_LE(tiles.size(), kSessionWindowTiles);
    EXPECT_LE(tiles.size() * tile_bytes, kSessionWindowBytes);
    EXPECT_TRUE(tiles.size() == kSessionWindowTiles ||
                (tiles.size() + 1) * tile_bytes > kSessionWindowBytes);
  }
}

}  // namespace
}  // namespace thalweg::session
