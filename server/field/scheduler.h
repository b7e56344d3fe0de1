// The thread that uses a backend, and the requests that wait for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "server/backend/backend.h"
#include "server/field/block_graph.h"
#include "server/field/block_store.h"
#include "server/field/device_runs.h"
#include "server/field/field.h"
#include "server/field/tile_reader.h"
#include "server/field/world_plan.h"
#include "server/sharing/room.h"

namespace thalweg::field {

// The part of Field for one device. A request waits in the graph for its block, then in the queue
// of reads. A finished request is removed, and its callback is called without the lock.
//
// A std::mutex, not Abseil's: ThreadSanitizer understands it without a special build of Abseil.
class Field::Scheduler {
 public:
  Scheduler(std::unique_ptr<backend::Backend> backend, const FieldOptions& options);
  ~Scheduler();

  RequestId Request(TileRequest request, Done done);
  void Cancel(RequestId id);
  void Raise(RequestId id, Priority priority);
  void Stop();
  FieldStats stats() const;
  const backend::Backend& backend() const { return *backend_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Clock = std::chrono::steady_clock;

  struct Pending {
    TileRequest request;
    Done done;
    Demand demand;
    // Set while the request waits to be read.
    BlockPtr block;
    // How many of its runs and reads failed because the device was lost.
    int losses = 0;
  };
  struct Finished {
    Done done;
    absl::StatusOr<TileValues> result;
  };
  // Wakes the thread. Shared with the room for values, whose shares may outlive this.
  struct Signal {
    std::mutex mutex;
    std::condition_variable wake;
    // Whether values were given back.
    bool freed = false;
  };

  void Loop();
  bool HasWork() const;
  bool ReadsFirst() const;
  // Whether a batch is ready, and blocks that wait to be read don't pile up.
  bool MayBegin() const;
  // What a run under way ranks: as its batch, later by what is submitted of it.
  BlockGraph::Rank RankOf(const DeviceRuns::Run& run) const;
  // The run that goes on next; null if all parts are submitted.
  DeviceRuns::Run* NextRun();
  // Which blocks may begin before this run, which may be null, goes on. Only one of the runs under
  // way may be a long one, so that there is always one that the others need not wait for long.
  BlockGraph::Which MayBeginBefore(const DeviceRuns::Run* next) const;
  // Whether to begin a batch before this run goes on: there is room, and the batch comes first.
  bool BatchFirst(const DeviceRuns::Run* next) const;
  bool CanSubmit();
  // These are called and return with the lock held, and release it while the device works.
  void Deliver(Lock& lock);
  // Reads the most urgent tiles whose clients have room for values, several at once.
  void ReadFirst(Lock& lock);
  void SubmitNext(Lock& lock);
  void AwaitFirst(Lock& lock);
  // Adds a run of the first batch that is ready and comes before this run, which may be null.
  DeviceRuns::Run& AddRun(const DeviceRuns::Run* next);

  // The next functions hold the lock throughout.
  void FinishRun(const DeviceRuns::Run& run);
  void FailRun(const DeviceRuns::Run& run, const absl::Status& status);
  void CountRun(const DeviceRuns::Run& run);
  // RESOURCE_EXHAUSTED if no more requests of the client and the priority may wait.
  absl::Status CheckRoom(Priority priority, std::uint64_t client);
  void Enqueue(RequestId id, Pending& pending);
  void AwaitRead(RequestId id, Pending& pending, BlockPtr block);
  void Finish(RequestId id, absl::StatusOr<TileValues> result);
  void RecoverDevice(const std::vector<RequestId>& struck, const absl::Status& status);
  void FinishAll(const absl::Status& status);

  const FieldOptions options_;
  const std::unique_ptr<backend::Backend> backend_;

  const std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  std::mutex& mutex_ = signal_->mutex;
  std::condition_variable& wake_ = signal_->wake;
  bool stopping_ = false;
  RequestId next_id_ = 1;
  WorldPlans plans_;
  BlockStore store_;
  BlockGraph graph_;
  absl::flat_hash_map<RequestId, Pending> pending_;
  sharing::QueueShares shares_;  // of the pending requests
  WaitingReads reads_;
  // For values until they are encoded. Its shares must be given back without the lock.
  const sharing::Room values_;
  std::vector<Finished> finished_;
  FieldStats stats_;

  // Only the thread uses these.
  DeviceRuns runs_;
  BatchPace pace_;

  std::once_flag joined_;
  std::thread thread_;
};

}  // namespace thalweg::field
