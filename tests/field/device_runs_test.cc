#include "server/field/device_runs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

constexpr int kBlockCells = 256;

// A batch with this many blocks of level 0.
Batch BatchOf(const std::shared_ptr<const WorldPlan>& plan, std::size_t blocks) {
  Batch batch{.plan = plan, .layers = {}, .blocks = {}, .parents = {}};
  for (std::size_t x = 0; x < blocks; ++x) {
    batch.blocks.push_back({.x = static_cast<std::int64_t>(x)});
    batch.parents.push_back(nullptr);
  }
  return batch;
}

// Submits and awaits the parts of random runs in any allowed order, and compares the result with a
// list of what is expected.
template <typename Runs>
class Trial {
 public:
  Trial(std::uint64_t seed, int parts, int max_submitted)
      : random_(seed), parts_(parts), max_submitted_(max_submitted) {
    device_->RunInParts(parts);
    device_->SubmitSeveral(max_submitted);
  }

  // The first fault; empty if there is none.
  std::string Run() {
    for (int step = 0; step < 300; ++step) {
      if (std::string fault = Step(); !fault.empty()) return absl::StrCat(fault, ", step ", step);
    }
    runs_.Clear();
    if (device_->live_blocks() != 0) return "blocks are left";
    return device_->peak_submitted() > max_submitted_ ? "too many parts at a time" : "";
  }

 private:
  struct Expected {
    DeviceRuns::Run* run;
    std::size_t blocks;
    int to_submit;
    int to_await;
  };

  std::string Step() {
    if (runs_.IsFull() != (expected_.size() == 2) || runs_.IsEmpty() != expected_.empty()) {
      return "the number of runs is wrong";
    }
    switch (random_() % 4) {
      case 0:
        if (!runs_.IsFull()) Add();
        return "";
      case 1:
      case 2:
        return Submit();
      default:
        return Await();
    }
  }

  void Add() {
    const std::size_t blocks = 1 + random_() % 3;
    expected_.push_back({&runs_.Add(BatchOf(plan_, blocks), parts_), blocks, parts_, parts_});
  }

  std::string Submit() {
    // The run of fewer blocks, the newest one of equals.
    Expected* next = nullptr;
    for (Expected& run : expected_) {
      if (run.to_submit > 0 && (next == nullptr || run.blocks <= next->blocks)) next = &run;
    }
    const DeviceRuns::Run* const found =
        runs_.Next([](const DeviceRuns::Run& a, const DeviceRuns::Run& b) {
          return a.batch.blocks.size() < b.batch.blocks.size();
        });
    if (found != (next == nullptr ? nullptr : next->run)) return "another run is next";
    const bool may = submitted_.size() < static_cast<std::size_t>(max_submitted_);
    if (runs_.MaySubmit() != may) return "parts are counted wrongly";
    if (next == nullptr || !may) return "";
    if (!runs_.Submit(*next->run).ok()) return "a part can't be submitted";
    --next->to_submit;
    submitted_.push_back(next->run);
    return "";
  }

  std::string Await() {
    if (submitted_.empty()) return "";
    const auto [run, status] = runs_.Await();
    if (!status.ok()) return std::string(status.message());
    if (run != submitted_.front()) return "parts are waited for in another order";
    submitted_.pop_front();
    for (auto at = expected_.begin(); at != expected_.end(); ++at) {
      if (at->run != run) continue;
      --at->to_await;
      if (runs_.IsDone(*run) != (at->to_await == 0)) return "a run ends at the wrong part";
      if (at->to_await > 0) break;
      if (run->pending->Take().size() != at->blocks) return "blocks are missing";
      runs_.Remove(*run);
      expected_.erase(at);
      break;
    }
    return "";
  }

  std::mt19937_64 random_;
  const int parts_;
  const int max_submitted_;
  const std::shared_ptr<FakeDevice> device_ = std::make_shared<FakeDevice>();
  const std::unique_ptr<backend::Backend> backend_ = MakeFakeBackend(device_);
  WorldPlans plans_{kBlockCells};
  const std::shared_ptr<const WorldPlan> plan_ = plans_.Of(TestWorld());
  Runs runs_{backend_.get()};
  std::deque<Expected> expected_;
  std::deque<DeviceRuns::Run*> submitted_;
};

template <typename Runs>
std::string FirstFault() {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const int parts = 1 + static_cast<int>(seed % 4);
    const int max_submitted = 1 + static_cast<int>(seed % 3);
    if (std::string fault = Trial<Runs>(seed, parts, max_submitted).Run(); !fault.empty()) {
      return absl::StrCat(fault, ", seed ", seed);
    }
  }
  return "";
}

TEST(DeviceRunsTest, EachPartRunsOnceInTheRequestedOrder) {
  EXPECT_EQ(FirstFault<DeviceRuns>(), "");
}

// Twins: DeviceRuns with faults.

struct EndEarly : DeviceRuns {
  using DeviceRuns::DeviceRuns;
  static bool IsDone(const Run& run) { return !run.HasNext(); }
};

struct SubmitTooMany : DeviceRuns {
  using DeviceRuns::DeviceRuns;
  static bool MaySubmit() { return true; }
};

TEST(DeviceRunsTest, TheTestFindsRunsThatEndEarly) { EXPECT_NE(FirstFault<EndEarly>(), ""); }
TEST(DeviceRunsTest, TheTestFindsTooManyParts) { EXPECT_NE(FirstFault<SubmitTooMany>(), ""); }

TEST(DeviceRunsTest, KnowWhetherARunIsLong) {
  const auto device = std::make_shared<FakeDevice>();
  const std::unique_ptr<backend::Backend> backend = MakeFakeBackend(device);
  WorldPlans plans(kBlockCells);
  DeviceRuns runs(backend.get());
  EXPECT_FALSE(runs.HasOver(0));
  const std::int64_t cells = runs.Add(BatchOf(plans.Of(TestWorld()), 2), 1).cells;
  EXPECT_EQ(cells, 2 * plans.Of(TestWorld())->CellsOf({0, 0, 0, 0}));
  EXPECT_TRUE(runs.HasOver(cells - 1));
  EXPECT_FALSE(runs.HasOver(cells));
}

TEST(DeviceRunsTest, ErrorsNameTheBatch) {
  const auto device = std::make_shared<FakeDevice>();
  const std::unique_ptr<backend::Backend> backend = MakeFakeBackend(device);
  device->FailOnce([](const FakeRun&) { return true; }, absl::UnavailableError("no power"));
  WorldPlans plans(kBlockCells);
  DeviceRuns runs(backend.get());
  const absl::Status status = runs.Submit(runs.Add(BatchOf(plans.Of(TestWorld()), 2), 0));
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_EQ(status.message(), "compute 2 blocks of level 0 of world 'test-1': no power");
}

}  // namespace
}  // namespace thalweg::field
