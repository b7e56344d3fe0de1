// Thousands of random requests, raises and cancellations over the fake backend. Every answer comes
// once and is right, and no block is left.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "server/field/field.h"
#include "tests/field/collector.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

using backend::Layer;

constexpr std::size_t kBudget = std::size_t{24} << 20;

// How many faults were found, by kind.
struct Findings {
  int not_once = 0;        // requests that were not answered exactly once
  int wrong = 0;           // tiles with a wrong value
  int unexplained = 0;     // errors that nothing in the run explains
  std::size_t leaked = 0;  // blocks that were left in the queue, the store or memory
};

// What a run of the harness does in addition to requests and cancellations.
struct Trouble {
  bool failing_runs = false;
  bool lost_devices = false;
  // For the twin: of a hundred answers, one is changed, one is given twice and one is kept back.
  bool tampering = false;
};

class Harness {
 public:
  Harness(std::uint32_t seed, const Trouble& trouble)
      : random_(seed),
        trouble_(trouble),
        worlds_{TestWorld(6, 1), TestWorld(6, 2)},
        device_(std::make_shared<FakeDevice>(5)),
        field_(std::make_unique<Field>(MakeFakeBackend(device_),
                                       FieldOptions{Pick(2) == 0 ? 256 : 512, kBudget})) {
    device_->TakeQuads();
    device_->RunInParts(3);
    device_->SubmitSeveral(static_cast<int>(1 + seed % 3));
  }

  Findings Run(int operations, int threads) {
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i) {
      workers.emplace_back([this, operations, seed = static_cast<std::uint32_t>(random_())] {
        Work(operations, seed);
      });
    }
    for (std::thread& worker : workers) worker.join();
    AwaitAll();
    const FieldStats stats = field_->stats();
    findings_.leaked += stats.blocks_queued;
    if (stats.bytes_on_device > kBudget) ++findings_.leaked;
    field_.reset();
    findings_.leaked += static_cast<std::size_t>(device_->live_blocks());
    const std::lock_guard lock(mutex_);
    for (const auto& [number, answers] : answers_) findings_.not_once += answers == 1 ? 0 : 1;
    return findings_;
  }

  FakeDevice& device() { return *device_; }

 private:
  std::uint32_t Pick(std::uint32_t choices) {
    return static_cast<std::uint32_t>(random_() % choices);
  }

  TileRequest RandomRequest(std::mt19937& random) {
    const auto pick = [&](std::uint32_t choices) { return static_cast<int>(random() % choices); };
    TileRequest request;
    request.world = worlds_[static_cast<std::size_t>(pick(2))];
    request.key.level = pick(6);
    request.key.x = pick(7) - 3;
    request.key.y = pick(5) - 2;
    request.layers = {Layer::kHeight};
    if (pick(10) == 0) request.layers.push_back(Layer::kWashLoad);
    if (pick(10) == 0) request.layers.push_back(Layer::kUplift);
    request.priority = static_cast<Priority>(pick(3));
    return request;
  }

  void Work(int operations, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<Field::RequestId, int>> open;
    for (int i = 0; i < operations; ++i) {
      const auto dice = random() % 100;
      if (dice < 40 && !open.empty()) {
        const std::size_t at = random() % open.size();
        {
          const std::lock_guard lock(mutex_);
          cancelled_[open[at].second] = true;
        }
        field_->Cancel(open[at].first);
        if (dice < 35) open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (dice < 50 && !open.empty()) {
        field_->Raise(open[random() % open.size()].first, static_cast<Priority>(random() % 3));
      } else if (dice == 98 && trouble_.failing_runs) {
        device_->FailOnce([](const FakeRun& run) { return run.level == 2; },
                          absl::InternalError("a failing run"));
      } else if (dice == 99 && trouble_.lost_devices) {
        device_->Lose();
      } else {
        const TileRequest request = RandomRequest(random);
        const int number = NewNumber();
        open.emplace_back(field_->Request(request, DoneFor(request, number)), number);
      }
    }
  }

  int NewNumber() {
    const std::lock_guard lock(mutex_);
    const int number = static_cast<int>(answers_.size());
    answers_[number] = 0;
    return number;
  }

  Field::Done DoneFor(const TileRequest& request, int number) {
    return [this, request, number](absl::StatusOr<TileValues> values) {
      if (trouble_.tampering && number % 100 == 7 && values.ok()) values->planes[0][77] ^= 1;
      Check(request, number, values);
      int times = 1;
      if (trouble_.tampering && number % 100 == 8) times = 2;
      if (trouble_.tampering && number % 100 == 9) times = 0;
      const std::lock_guard lock(mutex_);
      answers_[number] += times;
      ++calls_;
      changed_.notify_all();
    };
  }

  void Check(const TileRequest& request, int number, const absl::StatusOr<TileValues>& values) {
    const bool wrong = values.ok() && WrongValues(request, *values) > 0;
    const std::lock_guard lock(mutex_);
    if (wrong) ++findings_.wrong;
    if (values.ok()) return;
    const bool explained = (absl::IsCancelled(values.status()) && cancelled_[number]) ||
                           (absl::IsInternal(values.status()) && trouble_.failing_runs) ||
                           (absl::IsUnavailable(values.status()) && trouble_.lost_devices);
    if (!explained) ++findings_.unexplained;
  }

  void AwaitAll() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return calls_ >= answers_.size(); });
  }

  std::mt19937 random_;
  const Trouble trouble_;
  const std::vector<std::shared_ptr<const world::World>> worlds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, int> answers_;
  std::map<int, bool> cancelled_;
  std::size_t calls_ = 0;
  Findings findings_;
  std::shared_ptr<FakeDevice> device_;
  std::unique_ptr<Field> field_;
};

class FieldRandomTest : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(FieldRandomTest, EveryRequestIsAnsweredOnceAndRight) {
  SCOPED_TRACE(GetParam());
  Harness harness(GetParam(), {});
  const Findings findings = harness.Run(2000, 1);
  EXPECT_EQ(findings.not_once, 0);
  EXPECT_EQ(findings.wrong, 0);
  EXPECT_EQ(findings.unexplained, 0);
  EXPECT_EQ(findings.leaked, 0u);
  EXPECT_GT(harness.device().runs().size(), 50u);
}

TEST_P(FieldRandomTest, ManyThreadsFailingRunsAndLostDevices) {
  SCOPED_TRACE(GetParam());
  Harness harness(GetParam() + 1000, {.failing_runs = true, .lost_devices = true});
  const Findings findings = harness.Run(500, 4);
  EXPECT_EQ(findings.not_once, 0);
  EXPECT_EQ(findings.wrong, 0);
  EXPECT_EQ(findings.unexplained, 0);
  EXPECT_EQ(findings.leaked, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FieldRandomTest, ::testing::Values(1u, 2u, 3u, 4u));

TEST(FieldRandomHarnessTest, CanFail) {
  Harness harness(5, {.tampering = true});
  const Findings findings = harness.Run(1500, 1);
  EXPECT_GT(findings.not_once, 0);
  EXPECT_GT(findings.wrong, 0);
  EXPECT_EQ(findings.leaked, 0u);
}

}  // namespace
}  // namespace thalweg::field
