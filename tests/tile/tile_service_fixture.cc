#include "tests/tile/tile_service_fixture.h"

#include <atomic>
#include <thread>
#include <utility>

namespace thalweg::tile {

TileServiceStats TileServiceFixture::CallAtRandom(const std::vector<TileQuery>& queries,
                                                  const std::vector<std::string>& expected,
                                                  const BeforeCall& before) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 200;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
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
        const auto ticket = service_->Get(
            query, [&, k, answered = std::move(answered)](const Answer& bytes) mutable {
              ++answers;
              const bool right =
                  bytes.ok() ? **bytes == expected[k] : absl::IsCancelled(bytes.status());
              if (!right) ++wrong;
              answered.set_value();
            });
        if (random() % 3 == 0) service_->Cancel(ticket);
        // Some wait, or all calls would join the first flights.
        if (random() % 3 == 0) answer.wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  while (service_->stats().flights != 0) std::this_thread::yield();
  const TileServiceStats stats = service_->stats();
  service_.reset();  // a flight has left before its callers are answered
  EXPECT_EQ(answers, kThreads * kCalls);
  EXPECT_EQ(wrong, 0) << "seeds 0 to " << kThreads - 1;
  return stats;
}

}  // namespace thalweg::tile
