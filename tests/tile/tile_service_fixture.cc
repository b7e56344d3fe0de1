#include "tests/tile/tile_service_fixture.h"

#include <atomic>
#include <thread>
#include <utility>

namespace thalweg::tile {

Planes PlanesOf(const TileContents& contents, const TileQuery& query) {
  absl::StatusOr<Planes> planes = contents.Planes(query);
  EXPECT_TRUE(planes.ok()) << planes.status();
  return planes.ok() ? *std::move(planes) : Planes();
}

Planes PlanesOf(const std::string& bytes, const TileQuery& query) {
  return PlanesOf(TileContents(std::make_shared<const std::string>(bytes)), query);
}

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
        const auto count = [&](const absl::Status& status, auto is_right) {
          ++answers;
          if (status.ok() ? !is_right() : !absl::IsCancelled(status)) ++wrong;
        };
        TileService::Ticket ticket = TileService::kAnswered;
        if (query.precision == v1::PRECISION_EXACT && random() % 3 == 0) {
          ticket = service_->GetContents(
              query, [=, answered = std::move(answered),
                      &expected](const absl::StatusOr<TileContents>& contents) mutable {
                count(contents.status(),
                      [&] { return PlanesOf(*contents, query) == PlanesOf(expected[k], query); });
                answered.set_value();
              });
        } else {
          ticket = service_->Get(
              query, [=, answered = std::move(answered), &expected](const Answer& tile) mutable {
                count(tile.status(), [&] { return *tile->bytes == expected[k]; });
                answered.set_value();
              });
        }
        if (random() % 3 == 0) service_->Cancel(ticket);
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
