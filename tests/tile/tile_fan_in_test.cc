// Random answers, releases and ends, compared with the promises of a fan-in.
#include "server/tile/tile_fan_in.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace thalweg::tile {
namespace {

using Answer = absl::StatusOr<TileContents>;

absl::Status ErrorNamed(const std::string& name) { return absl::InternalError(name); }

TileQuery NthQuery(std::size_t n) {
  TileQuery query;
  query.key.x = static_cast<std::int64_t>(n);
  return query;
}

// A tile service that answers when the test tells it to. Thread-safe.
class FakeTiles final : public TileSource {
 public:
  // Called by the next Get, before it returns, and with the number of each tile that is asked for.
  void DuringNext(std::function<void()> act) { during_ = std::move(act); }
  void OnGet(std::function<void(std::size_t n)> on_get) { on_get_ = std::move(on_get); }
  void SetMayAskAhead(bool may) { may_ask_ahead_ = may; }

  void Get(const WaiterPtr& waiter, TileQuery query, Done done) override {
    const auto n = static_cast<std::size_t>(query.key.x);
    bool cancelled = false;
    {
      const std::lock_guard lock(mutex_);
      cancelled = cancelled_.contains(waiter);
      if (!cancelled) pending_.emplace(n, Question{waiter, std::move(done)});
    }
    if (on_get_) on_get_(n);
    if (cancelled) return std::move(done)(absl::CancelledError("cancelled before it was asked"));
    if (auto act = std::exchange(during_, nullptr)) act();
  }
  void Cancel(const WaiterPtr& waiter) override {
    std::optional<std::size_t> n;
    {
      const std::lock_guard lock(mutex_);
      cancelled_.insert(waiter);
      for (const auto& [number, question] : pending_) {
        if (question.waiter == waiter) n = number;
      }
    }
    if (n) AnswerTile(*n, absl::CancelledError("cancelled"));
  }
  bool MayAskAhead(const TileQuery&) const override { return may_ask_ahead_; }

  // Answers the question for the nth tile. False if there is no such question.
  bool AnswerTile(std::size_t n, const Answer& answer) {
    Done done;
    {
      const std::lock_guard lock(mutex_);
      const auto found = pending_.find(n);
      if (found == pending_.end()) return false;
      done = std::move(found->second.done);
      pending_.erase(found);
    }
    std::move(done)(answer);
    return true;
  }

  std::vector<std::size_t> pending() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::size_t> tiles;
    for (const auto& [n, question] : pending_) tiles.push_back(n);
    return tiles;
  }

 private:
  struct Question {
    WaiterPtr waiter;
    Done done;
  };

  std::function<void()> during_;
  std::function<void(std::size_t n)> on_get_;
  std::atomic<bool> may_ask_ahead_ = true;
  mutable std::mutex mutex_;
  std::map<std::size_t, Question> pending_;
  std::set<WaiterPtr> cancelled_;
};

// Calls a fan-in at random. Run returns the first promise that it breaks; empty if none.
template <typename AnyFanIn>
class Trial {
 public:
  explicit Trial(std::uint64_t seed) : random_(seed) {
    tiles_.OnGet([this](std::size_t n) { NoteAsked(n); });
  }

  std::string Run() {
    // The owner may stop before it asks.
    if (Happens(20)) Stop(NewError());
    AskAll();
    Check(0);
    for (int step = 1; step < 60 && broken_.empty(); ++step) {
      Act();
      Check(step);
    }
    Note(absl::OkStatus());
    ended_ = true;
    fan_in_.End();
    while (broken_.empty() && !wanted_.empty()) {
      AnswerOne();
      Check(-1);
    }
    Check(-1);
    return broken_;
  }

 private:
  bool Happens(int one_in) { return random_() % static_cast<std::uint64_t>(one_in) == 0; }
  absl::Status NewError() { return ErrorNamed(absl::StrCat("error ", ++errors_)); }
  void Break(const std::string& how) {
    if (broken_.empty()) broken_ = how;
  }

  void AskAll() {
    count_ = random_() % 40;
    ahead_ = Happens(4) ? TileFanIn::kAll : 1 + random_() % 8;
    asks_on_ = true;
    fan_in_.AskAll(count_, NthQuery, ahead_);
  }

  // The window and the order in which tiles may be asked for.
  void NoteAsked(std::size_t n) {
    if (n != asked_ || n >= count_) Break(absl::StrCat("tile ", n, " is not the next one"));
    if (n - released_ >= ahead_) Break(absl::StrCat("tile ", n, " is beyond the window"));
    if (n > released_ && !may_) Break(absl::StrCat("tile ", n, " has no room"));
    if (ended_ || stopped_) Break(absl::StrCat("tile ", n, " is asked for after the end"));
    ++asked_;
    if (Happens(12)) {
      tiles_.DuringNext([this] { Stop(NewError()); });
    } else {
      wanted_.insert(n);
      // Like a tile in the cache.
      if (Happens(4)) tiles_.DuringNext([this, n] { AnswerTile(n); });
    }
  }

  void Act() {
    switch (random_() % 16) {
      case 0:
        return Stop(Happens(2) ? NewError() : absl::CancelledError("gone"));
      case 1: {
        const absl::Status status = Happens(2) ? NewError() : absl::OkStatus();
        Note(status);
        ended_ = true;
        return fan_in_.End(status);
      }
      case 2:
      case 3:
      case 4:
        may_ = Happens(2);
        return tiles_.SetMayAskAhead(may_);
      case 5:
      case 6:
      case 7:
      case 8:
      case 9:
        if (released_ == takes_.size()) return;
        ++released_;
        asks_on_ = true;
        return fan_in_.Release();
      default:
        return AnswerOne();
    }
  }

  void AnswerOne() {
    if (wanted_.empty()) return;
    AnswerTile(
        *std::next(wanted_.begin(), static_cast<std::ptrdiff_t>(random_() % wanted_.size())));
  }

  void AnswerTile(std::size_t n) {
    const Answer answer = Happens(12) ? Answer(NewError()) : Answer(TileContents());
    // The effects are expected before they come.
    wanted_.erase(n);
    expected_takes_.push_back(n);
    if (answer.ok() && Happens(20)) refuses_ = NewError();
    const absl::Status error = answer.ok() ? refuses_ : answer.status();
    if (!error.ok()) {
      Note(error);
      stopped_ = true;
      wanted_.clear();
    }
    if (!tiles_.AnswerTile(n, answer)) Break(absl::StrCat("tile ", n, " is not asked for"));
  }

  void Stop(const absl::Status& why) {
    Note(why);
    stopped_ = true;
    wanted_.clear();
    fan_in_.Stop(why);
  }

  // A status after the end is not reported.
  void Note(const absl::Status& status) {
    if (!done_) first_.Update(status);
  }

  absl::Status Take(std::size_t n, const Answer& tile) {
    takes_.push_back(n);
    if (done_) Break(absl::StrCat("tile ", n, " is taken after the end"));
    return tile.ok() ? std::exchange(refuses_, absl::OkStatus()) : tile.status();
  }

  void Check(int step) {
    const auto pending = tiles_.pending();
    const bool no_more = ended_ || stopped_ || asked_ == count_;
    if (std::set<std::size_t>(pending.begin(), pending.end()) != wanted_) {
      Break("what is under way is not what is wanted");
    } else if (takes_ != expected_takes_) {
      Break("what is taken is not what came");
    } else if (!no_more && asked_ == released_) {
      Break("no tile is under way");
    } else if (done_.has_value() != (no_more && wanted_.empty())) {
      Break(done_ ? "the end is told too soon" : "the end is not told");
    } else if (done_ && *done_ != first_) {
      Break(absl::StrCat("expected ", first_.ToString(), ", got ", done_->ToString()));
    }
    const bool full = asked_ - released_ >= ahead_ || (asked_ > released_ && !may_);
    if (std::exchange(asks_on_, false) && !no_more && !full) Break("no tile is asked for ahead");
    if (!broken_.empty()) absl::StrAppend(&broken_, " at step ", step);
  }

  std::mt19937_64 random_;
  std::string broken_;
  int errors_ = 0;

  // The expected state.
  std::size_t count_ = 0;
  std::size_t ahead_ = 0;
  std::size_t asked_ = 0;
  std::size_t released_ = 0;
  bool may_ = true;
  bool asks_on_ = false;  // since the last check
  std::set<std::size_t> wanted_;
  std::vector<std::size_t> expected_takes_;
  absl::Status first_;
  bool ended_ = false;
  bool stopped_ = false;

  // The actual state.
  std::vector<std::size_t> takes_;
  std::optional<absl::Status> done_;
  absl::Status refuses_;  // what the next take returns
  FakeTiles tiles_;
  AnyFanIn fan_in_{&tiles_, [this](std::size_t n, const Answer& tile) { return Take(n, tile); },
                   [this](const absl::Status& status) {
                     if (done_) Break("the end is told twice");
                     done_ = status;
                   }};
};

TEST(TileFanInTest, PromisesHoldUnderRandomEvents) {
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    ASSERT_EQ(Trial<TileFanIn>(seed).Run(), "") << "seed " << seed;
  }
}

// A faulty fan-in: Stop ends it, but does not cancel its questions.
class Hoarder : public TileFanIn {
 public:
  using TileFanIn::TileFanIn;
  void Stop(const absl::Status& why) { End(why); }
};

// A faulty fan-in: it asks for a tile too many.
class Greedy : public TileFanIn {
 public:
  using TileFanIn::TileFanIn;
  void AskAll(std::size_t count, QueryOf query_of, std::size_t ahead) {
    TileFanIn::AskAll(count, std::move(query_of), ahead == kAll ? kAll : ahead + 1);
  }
};

// A faulty fan-in: it does not go on.
class Idler : public TileFanIn {
 public:
  using TileFanIn::TileFanIn;
  static void Release() {}
};

// A faulty fan-in: it ends with the last error instead of the first.
class LastWord {
 public:
  LastWord(FakeTiles* tiles, TileFanIn::Take take, TileFanIn::Done done)
      : done_(std::move(done)),
        fan_in_(
            tiles,
            [this, take = std::move(take)](std::size_t n, Answer tile) {
              absl::Status taken = take(n, std::move(tile));
              if (!taken.ok()) last_ = taken;
              return taken;
            },
            [this](const absl::Status&) { std::move(done_)(last_); }) {}
  void AskAll(std::size_t count, TileFanIn::QueryOf query_of, std::size_t ahead) {
    fan_in_.AskAll(count, std::move(query_of), ahead);
  }
  void Release() { fan_in_.Release(); }
  void End(const absl::Status& status = absl::OkStatus()) {
    if (!status.ok()) last_ = status;
    fan_in_.End(status);
  }
  void Stop(const absl::Status& why) {
    last_ = why;
    fan_in_.Stop(why);
  }

 private:
  absl::Status last_;
  TileFanIn::Done done_;
  TileFanIn fan_in_;
};

template <typename AnyFanIn>
bool IsFoundOut() {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    if (!Trial<AnyFanIn>(seed).Run().empty()) return true;
  }
  return false;
}

// The twins: the trial finds these faults.
TEST(TileFanInTest, TheTestFindsAMissingWithdrawal) { EXPECT_TRUE(IsFoundOut<Hoarder>()); }
TEST(TileFanInTest, TheTestFindsTooManyRequests) { EXPECT_TRUE(IsFoundOut<Greedy>()); }
TEST(TileFanInTest, TheTestFindsAFanInThatStops) { EXPECT_TRUE(IsFoundOut<Idler>()); }
TEST(TileFanInTest, TheTestFindsAFanInThatReturnsTheLastError) {
  EXPECT_TRUE(IsFoundOut<LastWord>());
}

// Several threads answer and ask on, and one may stop the fan-in, all at the same time.
class Race {
 public:
  explicit Race(std::uint64_t seed) : random_(seed) {}

  void Run() {
    const bool stops = random_() % 2 == 0;
    const bool fails = random_() % 2 == 0;
    const auto stop_after = static_cast<int>(random_() % kTiles);
    {
      std::vector<std::jthread> threads;
      for (int k = 0; k < 3; ++k) threads.emplace_back([this, fails] { AnswerAll(fails); });
      if (stops) {
        threads.emplace_back([this, stop_after] {
          while (takes_ < stop_after && !done_) std::this_thread::yield();
          fan_in_.Stop(ErrorNamed("stopped"));
        });
      }
      fan_in_.AskAll(kTiles, NthQuery, kAhead);
    }
    EXPECT_EQ(ends_, 1);
    EXPECT_TRUE(tiles_.pending().empty());
    EXPECT_FALSE(late_);
    EXPECT_TRUE(!status_.ok() || takes_ == static_cast<int>(kTiles));
    EXPECT_TRUE(status_.ok() || stops || fails);
    for (const std::atomic<int>& taken : taken_) EXPECT_LE(taken, 1);
  }

 private:
  static constexpr std::size_t kTiles = 40;
  static constexpr std::size_t kAhead = 8;

  void AnswerAll(bool fails) {
    while (!done_) {
      for (const std::size_t n : tiles_.pending()) {
        tiles_.AnswerTile(
            n, fails && n % 16 == 7 ? Answer(ErrorNamed("broken")) : Answer(TileContents()));
      }
      std::this_thread::yield();
    }
  }

  std::mt19937_64 random_;
  FakeTiles tiles_;
  std::array<std::atomic<int>, kTiles> taken_{};
  std::atomic<int> takes_{0};
  std::atomic<int> ends_{0};
  std::atomic<bool> done_{false};
  std::atomic<bool> late_{false};
  absl::Status status_;
  TileFanIn fan_in_{&tiles_,
                    [this](std::size_t n, const Answer& tile) {
                      if (done_) late_ = true;
                      ++taken_[n];
                      ++takes_;
                      fan_in_.Release();
                      return tile.status();
                    },
                    [this](const absl::Status& status) {
                      status_ = status;
                      ++ends_;
                      done_ = true;
                    }};
};

TEST(TileFanInTest, EndsOnceInARaceAndLeavesNothing) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Race(seed).Run();
  }
}

// The callback for the end may destroy the fan-in.
TEST(TileFanInTest, MayBeDestroyedByItsCallback) {
  FakeTiles tiles;
  std::unique_ptr<TileFanIn> fan_in;
  fan_in = std::make_unique<TileFanIn>(
      &tiles, [](std::size_t, const Answer& tile) { return tile.status(); },
      [&fan_in](const absl::Status&) { fan_in.reset(); });
  fan_in->AskAll(1, NthQuery);
  ASSERT_NE(fan_in, nullptr);
  EXPECT_TRUE(tiles.AnswerTile(0, TileContents()));
  EXPECT_EQ(fan_in, nullptr);
}

}  // namespace
}  // namespace thalweg::tile
