// A backend whose terrain is a pure function of the vertex. It records its runs, and a gate can
// stop it before each of them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/backend/backend.h"

namespace thalweg::field {

// A value that depends on all parameters.
std::int32_t FakeValue(std::uint32_t world_seed, int level, backend::Layer layer, std::int64_t x,
                       std::int64_t y);

// A run as the backend saw it.
struct FakeRun {
  std::uint32_t world_seed = 0;
  int level = 0;
  backend::LayerSet layers;
  std::vector<world::BlockKey> blocks;
};

// State that a test shares with a backend, since the field owns the backend. Thread-safe.
class FakeDevice {
 public:
  explicit FakeDevice(int max_batch = 4) : max_batch_(max_batch) {}

  // From now on the device has enough memory for quads. Before that, it has none for blocks larger
  // than a tile, unless all blocks are larger.
  void TakeQuads();

  // From now on runs that may have several parts have this many, whatever the field asks for.
  void RunInParts(int parts);

  // From now on at most this many parts may be submitted at the same time.
  void SubmitSeveral(int most);

  // While the gate is closed, runs wait.
  void Close();
  void Open();
  // Blocks until a run waits at the closed gate.
  void AwaitRunAtGate();
  // Lets only the run that waits at the gate pass. Blocks until it has passed.
  void PassOne();

  // The next run for which `when` is true fails with the status, once.
  void FailOnce(std::function<bool(const FakeRun&)> when, absl::Status status);
  // The next read fails.
  void FailReadOnce(absl::Status status);
  // Loses the device: using a block that was made before fails with FAILED_PRECONDITION.
  void Lose();

  std::vector<FakeRun> runs() const;
  // How often the block was computed, in all worlds together.
  int TimesComputed(const world::BlockKey& key) const;
  int live_blocks() const;
  // How many tiles each transfer copied.
  std::vector<int> reads() const;
  // The most parts that were submitted at the same time.
  int peak_submitted() const;

 private:
  friend class FakeBackend;
  friend class FakeBlock;

  struct Failure {
    std::function<bool(const FakeRun&)> when;
    absl::Status status;
  };

  int Parts(int wanted) const;

  const int max_batch_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool takes_quads_ = false;
  int parts_ = 0;
  int max_submitted_ = 1;
  int peak_submitted_ = 0;
  bool closed_ = false;
  bool at_gate_ = false;
  int passes_ = 0;
  int generation_ = 0;
  int live_blocks_ = 0;
  std::vector<int> reads_;
  absl::Status read_failure_;
  std::vector<Failure> failures_;
  std::vector<FakeRun> runs_;
};

// The backend checks that callers do what Backend demands: parents, places, shapes, one thread.
std::unique_ptr<backend::Backend> MakeFakeBackend(std::shared_ptr<FakeDevice> device);

}  // namespace thalweg::field
