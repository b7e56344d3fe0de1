// A backend whose terrain is a pure function of the vertex, that writes down its runs and can be
// stopped before one.
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

// A value that depends on everything that names it.
std::int32_t FakeValue(std::uint32_t world_seed, int level, backend::Layer layer, std::int64_t x,
                       std::int64_t y);

// A run as the backend saw it.
struct FakeRun {
  std::uint32_t world_seed = 0;
  int level = 0;
  backend::LayerSet layers;
  std::vector<world::BlockKey> blocks;
};

// The state that tests share with a backend that the field owns. Thread-safe.
class FakeDevice {
 public:
  explicit FakeDevice(int max_batch = 4) : max_batch_(max_batch) {}

  // From now on it has the memory for blocks of four siblings; before, for none larger than a tile
  // unless every block is.
  void TakeQuads();

  // From now on runs that may be held up have this many parts, however many are asked for.
  void RunInParts(int parts);

  // From now on this many parts may be submitted at a time.
  void SubmitSeveral(int most);

  // Runs wait while it is closed.
  void Close();
  void Open();
  // Blocks until a run waits at the closed gate.
  void AwaitRunAtGate();
  // Lets the run that waits at the gate pass and no other; blocks until it has.
  void PassOne();

  // The next run that this is true of fails with the status, once.
  void FailOnce(std::function<bool(const FakeRun&)> when, absl::Status status);
  // The next read fails.
  void FailReadOnce(absl::Status status);
  // Every block made until now is of a lost device: to use one is FAILED_PRECONDITION.
  void Lose();

  std::vector<FakeRun> runs() const;
  // How often a block was computed, of all worlds.
  int TimesComputed(const world::BlockKey& key) const;
  int live_blocks() const;
  // How many tiles each transfer copied.
  std::vector<int> reads() const;
  // The most parts that were submitted at a time.
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

// Checks what Backend asks of its callers: parents, places, shapes, one thread.
std::unique_ptr<backend::Backend> MakeFakeBackend(std::shared_ptr<FakeDevice> device);

}  // namespace thalweg::field
