#include "tests/tile/tile_service_fixture.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace thalweg::tile {

Planes PlanesOf(const TileContents& contents, const TileQuery& query) {
  absl::StatusOr<Planes> planes = contents.Planes(query);
  EXPECT_TRUE(planes.ok()) << planes.status();
  return planes.ok() ? *std::move(planes) : Planes();
}

Planes PlanesOf(const std::string& bytes, const TileQuery& query) {
  return PlanesOf(TileContents(FinishedTile{std::make_shared<const std::string>(bytes), {}}),
                  query);
}

namespace {

// Waiters that another thread cancels, twice. Thread-safe.
class ToCancel {
 public:
  void Put(TileSource::WaiterPtr waiter) {
    const std::lock_guard lock(mutex_);
    waiters_.push_back(std::move(waiter));
  }
  void CancelOne(TileService& service, std::mt19937_64& random) {
    TileSource::WaiterPtr waiter;
    {
      const std::lock_guard lock(mutex_);
      if (waiters_.empty()) return;
      waiter = waiters_[random() % waiters_.size()];
    }
    service.Cancel(waiter);
    service.Cancel(waiter);
  }

 private:
  std::mutex mutex_;
  std::vector<TileSource::WaiterPtr> waiters_;
};

}  // namespace

TileServiceStats TileServiceFixture::CallAtRandom(const std::vector<TileQuery>& queries,
                                                  const std::vector<std::string>& expected,
                                                  const BeforeCall& before) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 200;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  ToCancel cancelled;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < kThreads; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int call = 0; call < kCalls; ++call) {
        before(seed, call, random);
        const std::size_t k = random() % queries.size();
        TileQuery query = queries[k];
        query.priority = static_cast<field::Priority>(random() % 3);
        std::promise<void> answered;
        std::future<void> answer = answered.get_future();
        query.wants_values = query.precision == v1::PRECISION_EXACT && random() % 3 == 0;
        const auto waiter = std::make_shared<TileWaiter>();
        const std::uint64_t cancel = random() % 6;
        // Before it asks, inside its answer, or after it asked.
        if (cancel == 0) service_->Cancel(waiter);
        service_->Get(waiter, query,
                      [&, k, query, waiter, cancel, answered = std::move(answered)](
                          const absl::StatusOr<TileContents>& tile) mutable {
                        if (cancel == 1) service_->Cancel(waiter);
                        const bool is_right =
                            !tile.ok() ? absl::IsCancelled(tile.status())
                            : query.wants_values
                                ? PlanesOf(*tile, query) == PlanesOf(expected[k], query)
                                : *tile->finished().bytes == expected[k];
                        ++answers;
                        if (!is_right) ++wrong;
                        answered.set_value();
                      });
        if (cancel == 2) service_->Cancel(waiter);
        if (cancel == 3) cancelled.Put(waiter);
        if (random() % 4 == 0) cancelled.CancelOne(*service_, random);
        // Some calls wait. Otherwise all would join the first flights.
        if (random() % 3 == 0) answer.wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  while (service_->stats().flights != 0) std::this_thread::yield();
  const TileServiceStats stats = service_->stats();
  service_.reset();  // a flight ends before its callers are answered
  EXPECT_EQ(answers, kThreads * kCalls);
  EXPECT_EQ(wrong, 0) << "seeds 0 to " << kThreads - 1;
  return stats;
}

}  // namespace thalweg::tile
