// Random questions, answers and ends, compared with the promises of a fan-in.
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

using Answer = absl::StatusOr<FinishedTile>;

absl::Status ErrorNamed(const std::string& name) { return absl::InternalError(name); }

TileQuery QueryOf(std::size_t n) {
  TileQuery query;
  query.key.x = static_cast<std::int64_t>(n);
  return query;
}

// A tile service that answers when the test tells it to. Thread-safe.
class FakeTiles {
 public:
  using Ticket = TileService::Ticket;

  // The next question is answered inside Get. With a ticket, it is like a question that is refused
  // there; without one, like a tile in the cache.
  void AnswerNext(Answer answer, bool with_ticket) {
    next_.emplace(std::move(answer), with_ticket);
  }
  // The next Get calls `act` before it returns its ticket.
  void DuringNext(std::function<void()> act) { during_ = std::move(act); }

  Ticket Get(const TileQuery& query, TileService::Done done) {
    Ticket ticket{};
    {
      const std::lock_guard lock(mutex_);
      ticket = ++last_ticket_;
      pending_.emplace(ticket, Question{static_cast<std::size_t>(query.key.x), std::move(done)});
    }
    if (auto act = std::exchange(during_, nullptr)) act();
    if (auto next = std::exchange(next_, std::nullopt)) {
      AnswerTicket(ticket, next->first);
      return next->second ? ticket : TileService::kAnswered;
    }
    return ticket;
  }

  void Cancel(Ticket ticket) { AnswerTicket(ticket, absl::CancelledError("cancelled")); }

  // Answers the question for the nth tile. False if there is no such question.
  bool AnswerTile(std::size_t n, const Answer& answer) {
    Ticket ticket{};
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [number, question] : pending_) {
        if (question.n == n) ticket = number;
      }
    }
    return AnswerTicket(ticket, answer);
  }

  std::vector<std::size_t> pending() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::size_t> tiles;
    for (const auto& [ticket, question] : pending_) tiles.push_back(question.n);
    return tiles;
  }

 private:
  struct Question {
    std::size_t n;
    TileService::Done done;
  };

  bool AnswerTicket(Ticket ticket, const Answer& answer) {
    TileService::Done done;
    {
      const std::lock_guard lock(mutex_);
      const auto found = pending_.find(ticket);
      if (found == pending_.end()) return false;
      done = std::move(found->second.done);
      pending_.erase(found);
    }
    std::move(done)(answer);
    return true;
  }

  std::optional<std::pair<Answer, bool>> next_;
  std::function<void()> during_;
  mutable std::mutex mutex_;
  Ticket last_ticket_ = TileService::kAnswered;
  std::map<Ticket, Question> pending_;
};

using FanIn = TileFanIn<FinishedTile, FakeTiles>;

// Calls a fan-in at random. Run returns the first promise that it breaks; empty if none.
template <typename AnyFanIn>
class Trial {
 public:
  explicit Trial(std::uint64_t seed) : random_(seed) {}

  std::string Run() {
    for (int step = 0; step < 60 && broken_.empty(); ++step) {
      Act();
      Check(step);
    }
    fan_in_.End();
    ended_ = true;
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
  Answer RandomAnswer() { return Happens(12) ? Answer(NewError()) : Answer(FinishedTile()); }
  std::size_t OneOfWanted() {
    return *std::next(wanted_.begin(), static_cast<std::ptrdiff_t>(random_() % wanted_.size()));
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
      case 5:
      case 6:
        return AnswerOne();
      default:
        return Ask();
    }
  }

  void Ask() {
    const std::size_t n = asked_++;
    const bool heard = !ended_ && !stopped_;
    if (heard) wanted_.insert(n);
    std::optional<Answer> inside;
    if (heard && Happens(4)) {
      inside = RandomAnswer();
      tiles_.AnswerNext(*inside, Happens(2));
    } else if (heard && Happens(12)) {
      tiles_.DuringNext([this] { Stop(NewError()); });
    }
    // If the answer comes inside Ask, this expects its result first.
    if (inside) Expect(n, *inside);
    fan_in_.Ask(n, QueryOf(n));
  }

  void AnswerOne() {
    if (wanted_.empty()) return;
    const std::size_t n = OneOfWanted();
    const Answer answer = RandomAnswer();
    Expect(n, answer);
    if (!tiles_.AnswerTile(n, answer)) broken_ = absl::StrCat("tile ", n, " is not asked for");
  }

  // Expects the effects of a wanted answer.
  void Expect(std::size_t n, const Answer& answer) {
    wanted_.erase(n);
    expected_takes_.push_back(n);
    if (answer.ok() && Happens(20)) refuses_ = NewError();
    const absl::Status error = answer.ok() ? refuses_ : answer.status();
    if (error.ok()) return;
    Note(error);
    stopped_ = true;
    wanted_.clear();
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
    if (done_) broken_ = absl::StrCat("tile ", n, " is taken after the end");
    return tile.ok() ? std::exchange(refuses_, absl::OkStatus()) : tile.status();
  }

  void Check(int step) {
    if (!broken_.empty()) return;
    const auto pending = tiles_.pending();
    const bool done = ended_ && wanted_.empty();
    if (std::set<std::size_t>(pending.begin(), pending.end()) != wanted_) {
      broken_ = "what is under way is not what is wanted";
    } else if (takes_ != expected_takes_) {
      broken_ = "what is taken is not what came";
    } else if (done_.has_value() != done) {
      broken_ = done ? "the end is not told" : "the end is told too soon";
    } else if (done && *done_ != first_) {
      broken_ = absl::StrCat("expected ", first_.ToString(), ", got ", done_->ToString());
    }
    if (!broken_.empty()) absl::StrAppend(&broken_, " at step ", step);
  }

  std::mt19937_64 random_;
  std::string broken_;
  int errors_ = 0;

  // The expected state.
  std::size_t asked_ = 0;
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
                     if (done_) broken_ = "the end is told twice";
                     done_ = status;
                   }};
};

TEST(TileFanInTest, KeepsItsPromisesWhateverHappens) {
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    ASSERT_EQ(Trial<FanIn>(seed).Run(), "") << "seed " << seed;
  }
}

// A faulty fan-in: Stop ends it, but does not cancel its questions.
class Hoarder : public FanIn {
 public:
  using FanIn::FanIn;
  void Stop(const absl::Status& why) { End(why); }
};

// A faulty fan-in: it ends with the last error instead of the first.
class LastWord {
 public:
  LastWord(FakeTiles* tiles, FanIn::Take take, FanIn::Done done)
      : done_(std::move(done)),
        fan_in_(
            tiles,
            [this, take = std::move(take)](std::size_t n, Answer tile) {
              absl::Status taken = take(n, std::move(tile));
              if (!taken.ok()) last_ = taken;
              return taken;
            },
            [this](const absl::Status&) { std::move(done_)(last_); }) {}
  void Ask(std::size_t n, const TileQuery& query) { fan_in_.Ask(n, query); }
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
  FanIn::Done done_;
  FanIn fan_in_;
};

template <typename AnyFanIn>
bool IsFoundOut() {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    if (!Trial<AnyFanIn>(seed).Run().empty()) return true;
  }
  return false;
}

// The twins: the trial finds these faults.
TEST(TileFanInTest, FindsOneThatDoesNotWithdraw) { EXPECT_TRUE(IsFoundOut<Hoarder>()); }
TEST(TileFanInTest, FindsOneThatTellsTheLastError) { EXPECT_TRUE(IsFoundOut<LastWord>()); }

// One thread asks, several answer, and one may stop the fan-in, all at the same time.
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
      for (std::size_t n = 0; n < kTiles; ++n) fan_in_.Ask(n, QueryOf(n));
      fan_in_.End();
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

  void AnswerAll(bool fails) {
    while (!done_) {
      for (const std::size_t n : tiles_.pending()) {
        tiles_.AnswerTile(
            n, fails && n % 16 == 7 ? Answer(ErrorNamed("broken")) : Answer(FinishedTile()));
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
  FanIn fan_in_{&tiles_,
                [this](std::size_t n, const Answer& tile) {
                  if (done_) late_ = true;
                  ++taken_[n];
                  ++takes_;
                  return tile.status();
                },
                [this](const absl::Status& status) {
                  status_ = status;
                  ++ends_;
                  done_ = true;
                }};
};

TEST(TileFanInTest, EndsOnceWithNothingLeftWhoeverIsFirst) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Race(seed).Run();
  }
}

// The callback for the end may destroy the fan-in.
TEST(TileFanInTest, MayBeDestroyedByItsEnd) {
  FakeTiles tiles;
  std::unique_ptr<FanIn> fan_in;
  fan_in = std::make_unique<FanIn>(
      &tiles, [](std::size_t, const Answer& tile) { return tile.status(); },
      [&fan_in](const absl::Status&) { fan_in.reset(); });
  fan_in->Ask(0, QueryOf(0));
  fan_in->End();
  ASSERT_NE(fan_in, nullptr);
  EXPECT_TRUE(tiles.AnswerTile(0, FinishedTile()));
  EXPECT_EQ(fan_in, nullptr);
}

}  // namespace
}  // namespace thalweg::tile
