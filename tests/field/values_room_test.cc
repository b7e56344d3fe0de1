// Values that nobody encodes yet are bounded in bytes, by client.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/field/field.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

constexpr std::size_t kValuesOfATile = std::size_t{257} * 257 * sizeof(std::int32_t);

class ValuesRoomTest : public testing::Test {
 protected:
  // Starts a field with room for this many bytes of values and of blocks.
  void Start(std::size_t values_bytes, std::size_t block_bytes = std::size_t{256} << 20) {
    FieldOptions options;
    options.values_bytes = values_bytes;
    options.block_budget_bytes = block_bytes;
    field_ = std::make_unique<Field>(MakeFakeBackend(device_), options);
  }
  ~ValuesRoomTest() override {
    device_->Open();
    field_.reset();
  }

  // Asks for tile x of level 0. Its values are kept until Encode.
  Field::RequestId Ask(std::int64_t x, std::uint64_t client) {
    TileRequest request{world_, {0, 0, x, 0}, {backend::Layer::kHeight}};
    request.client = client;
    return field_->Request(std::move(request), [this, client](absl::StatusOr<TileValues> values) {
      const std::lock_guard lock(mutex_);
      ++answers_;
      if (values.ok()) {
        kept_[client].push_back(*std::move(values));
      } else {
        last_error_ = values.status();
      }
      changed_.notify_all();
    });
  }
  // Waits for this many answers in all. Fails after a minute.
  void AwaitAnswers(std::size_t answers) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        changed_.wait_for(lock, std::chrono::minutes(1), [&] { return answers_ >= answers; }))
        << "only " << answers_ << " of " << answers << " answers came";
  }
  std::size_t KeptOf(std::uint64_t client) {
    const std::lock_guard lock(mutex_);
    return kept_[client].size();
  }
  // Encodes one tile of the client: its values are used no more.
  void Encode(std::uint64_t client) {
    TileValues values;
    const std::lock_guard lock(mutex_);
    ASSERT_FALSE(kept_[client].empty());
    values = std::move(kept_[client].front());
    kept_[client].pop_front();
  }
  // Waits until the field has no more to do, as far as can be seen: a tile of another client came,
  // whose request was the last.
  void Settle(std::uint64_t other) {
    const std::size_t before = answers();
    Ask(1'000 + static_cast<std::int64_t>(other), other);
    AwaitAnswers(before + 1);
  }
  std::size_t answers() {
    const std::lock_guard lock(mutex_);
    return answers_;
  }

  const std::shared_ptr<const world::World> world_ = TestWorld();
  const std::shared_ptr<FakeDevice> device_ = std::make_shared<FakeDevice>();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t answers_ = 0;
  absl::Status last_error_;
  std::map<std::uint64_t, std::deque<TileValues>> kept_;
  std::unique_ptr<Field> field_;
};

TEST_F(ValuesRoomTest, AClientWithUnencodedValuesWaitsAndOthersOvertakeIt) {
  Start(16 * kValuesOfATile);
  for (std::int64_t x = 0; x < 40; ++x) Ask(x, 1);
  AwaitAnswers(8);
  Settle(2);
  EXPECT_EQ(KeptOf(1), 8U);
  Encode(2);
  // Each tile that is encoded leaves room for another.
  for (std::size_t n = 0; n < 32; ++n) {
    Encode(1);
    AwaitAnswers(8 + 1 + n + 1);
  }
  EXPECT_EQ(answers(), 41U);
  EXPECT_EQ(field_->stats().requests_waiting, 0U);
}

// Otherwise the blocks of a client whose values wait would fill the device.
TEST_F(ValuesRoomTest, BlocksThatWaitToBeReadDoNotPileUp) {
  Start(4 * kValuesOfATile, 0);
  for (std::int64_t x = 0; x < 200; ++x) Ask(x, 1);
  AwaitAnswers(2);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (field_->stats().blocks_computed < 3 && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  // The two that were read, and the batches that were under way when the first was held back.
  EXPECT_LE(device_->live_blocks(), 2 + 2 * 4);
  for (std::size_t n = 0; n < 198; ++n) {
    Encode(1);
    AwaitAnswers(2 + n + 1);
    ASSERT_LE(device_->live_blocks(), 2 + 2 * 4);
  }
}

TEST_F(ValuesRoomTest, ATileLargerThanTheRoomIsReadAlone) {
  Start(1);
  for (std::int64_t x = 0; x < 5; ++x) Ask(x, 1);
  for (std::size_t n = 1; n <= 5; ++n) {
    AwaitAnswers(n);
    EXPECT_EQ(KeptOf(1), 1U);
    Encode(1);
  }
}

TEST_F(ValuesRoomTest, WaitingRequestsCanBeCancelled) {
  Start(4 * kValuesOfATile);
  std::vector<Field::RequestId> ids;
  for (std::int64_t x = 0; x < 10; ++x) ids.push_back(Ask(x, 1));
  AwaitAnswers(2);
  for (const Field::RequestId id : ids) field_->Cancel(id);
  AwaitAnswers(10);
  EXPECT_EQ(last_error_.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(field_->stats().requests_waiting, 0U);
  // The client is not held back for ever.
  Encode(1);
  Ask(20, 1);
  AwaitAnswers(11);
}

TEST_F(ValuesRoomTest, StopAnswersWaitingRequests) {
  Start(4 * kValuesOfATile);
  for (std::int64_t x = 0; x < 10; ++x) Ask(x, 1);
  AwaitAnswers(2);
  field_->Stop();
  AwaitAnswers(10);
  EXPECT_EQ(last_error_.code(), absl::StatusCode::kUnavailable);
}

TEST_F(ValuesRoomTest, ValuesMayOutliveTheField) {
  Start(4 * kValuesOfATile);
  Ask(0, 1);
  AwaitAnswers(1);
  field_.reset();
  Encode(1);
}

// A read that fails gives its room back.
TEST_F(ValuesRoomTest, AFailedReadHoldsNoRoom) {
  Start(4 * kValuesOfATile);
  for (std::int64_t n = 0; n < 20; ++n) {
    device_->FailReadOnce(absl::InternalError("broken"));
    Ask(n, 1);
    AwaitAnswers(static_cast<std::size_t>(n) + 1);
  }
  Ask(50, 1);
  AwaitAnswers(21);
  EXPECT_EQ(KeptOf(1), 1U);
}

}  // namespace
}  // namespace thalweg::field
