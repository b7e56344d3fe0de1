// Which blocks a tile needs, in what order, and which requests wait for them. A block is computed
// once, however many requests wait; work that no request waits for any more is dropped.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/backend/backend.h"
#include "server/sharing/room.h"
#include "server/world/block.h"
#include "server/world/world.h"

namespace thalweg::field {

// Which of several devices computes a block. Thread-safe. A block's ancestor at an even level, one
// or two levels up, decides: siblings share a device, and only the few blocks above are computed by
// several devices. Neighbouring ancestors take turns, so that a view's blocks are spread evenly.
// When a device is given up, only its blocks move to the others, evenly, by rendezvous hashing.
class DeviceRoutes {
 public:
  using Clock = std::chrono::steady_clock;

  // How long a device that was given up is not used, before it is tried again.
  static constexpr std::chrono::seconds kRest{30};

  explicit DeviceRoutes(std::size_t devices, std::function<Clock::time_point()> now = &Clock::now)
      : now_(std::move(now)), given_up_(devices) {}

  // The device's index: one that is not given up, unless all are.
  std::size_t DeviceOf(std::string_view world_id, const world::BlockKey& block) const;

  // Reports that a device does not work.
  void GiveUp(std::size_t device);

 private:
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  // The time until which each device is not used.
  std::vector<Clock::time_point> given_up_;
};

// The lower value goes first. Within one priority clients take turns, then coarse levels go before
// fine ones, then requests by arrival.
enum class Priority { kInteractive = 0, kPrefetch = 1, kBake = 2 };

// Called with the number of cells that are to be computed because of a request. The field's lock is
// held: a meter takes no lock but its own.
using Meter = std::function<void(std::int64_t cells)>;

struct TileRequest {
  std::shared_ptr<const world::World> world;
  // The key must have passed wire::CheckTileKey.
  wire::TileKey key;
  std::vector<backend::Layer> layers;
  Priority priority = Priority::kInteractive;
  // A number that tells clients apart: clients that ask at the same time take turns.
  std::uint64_t client = 0;
  // How many vertices beyond the tile are read on every side: 0 to world::kMinApron.
  int margin = 0;
  // Called with the cells of the blocks, ancestors among them, that are neither kept nor under way;
  // 0 if there are none. Called before Request returns, unless the request is refused, and again if
  // the tile's block must be computed once more for a layer. Not called for blocks that are
  // computed again because a device was lost. May be empty.
  Meter meter = nullptr;
};

// The values of a tile: one plane for each requested layer, row-major, in the layer's unit. A plane
// has 257 + 2 margin vertices in a row.
struct TileValues {
  std::vector<std::vector<std::int32_t>> planes;
  // In height units; see thalweg.v1.Tile.geometric_error.
  std::int32_t geometric_error = 0;
  // Their part of FieldOptions::values_bytes. Whoever has no more to make of the values drops it;
  // the field then reads other tiles.
  std::shared_ptr<sharing::Room::Share> share = nullptr;
};

struct FieldOptions {
  // Cells in a row of a block: a power of two, 256 or more. It does not change the terrain.
  int block_cells = 256;
  // The budget for finished blocks on each device; the least recently used are dropped first.
  std::size_t block_budget_bytes = std::size_t{256} << 20;
  // Max requests that may wait. Bakes may fill half of the queue, prefetches three quarters; the
  // last quarter is for interactive requests. A client may not have more of them than the queue
  // still takes; see QueueShares.
  std::size_t max_requests = 8'192;
  // The budget for values that were read and that nobody has encoded yet. A client gets its part
  // (see Room), and its further tiles wait in their blocks.
  std::size_t values_bytes = std::size_t{128} << 20;
};

struct LevelStats {
  // Runs, failed ones included.
  backend::DeviceTime runs;
  std::uint64_t blocks_computed = 0;
};

struct FieldStats {
  std::uint64_t blocks_computed = 0;
  std::uint64_t blocks_dropped = 0;  // dropped from the queue: no request waited any more
  std::uint64_t batches = 0;
  std::uint64_t requests_refused = 0;
  std::uint64_t runs_failed = 0;
  std::uint64_t device_losses = 0;
  std::uint64_t blocks_evicted = 0;  // dropped from the device to keep the budget
  backend::DeviceTime reads;         // of tiles from finished blocks
  // By level, over all worlds: up to the finest level that was run.
  std::vector<LevelStats> levels;
  // By kind of stage, if the device has a clock.
  backend::StageTimes stages;
  std::size_t requests_waiting = 0;
  std::size_t blocks_queued = 0;
  std::size_t blocks_on_device = 0;
  std::size_t bytes_on_device = 0;
  std::size_t budget_bytes = 0;
};

// Thread-safe. Owns the backends. Each has one thread, and only that thread uses it.
class Field {
 public:
  using RequestId = std::uint64_t;
  // Called once, on a thread of the field, without any lock held; hand long work on. It may call
  // Request and Cancel, not Stop. CANCELLED after Cancel, UNAVAILABLE after Stop or when every
  // device is lost, else the backend's error. After Stop, or when the queue is full
  // (RESOURCE_EXHAUSTED), Request calls it before it returns, on the caller's thread.
  using Done = absl::AnyInvocable<void(absl::StatusOr<TileValues>) &&>;

  Field(std::unique_ptr<backend::Backend> backend, const FieldOptions& options);
  // One or more devices. A tile's place decides which one computes it; while that one is lost,
  // another one does. The bits are the same.
  Field(std::vector<std::unique_ptr<backend::Backend>> backends, const FieldOptions& options);
  // Calls Stop.
  ~Field();

  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  RequestId Request(TileRequest request, Done done);
  // Withdraws a request: `done` is called with CANCELLED unless it was called before.
  void Cancel(RequestId id);
  // Makes a request more urgent. Does nothing if it was answered, or is as urgent.
  void Raise(RequestId id, Priority priority);
  // Fails waiting requests with UNAVAILABLE, waits for the devices' work and joins the threads.
  void Stop();

  // The sum over all devices.
  FieldStats stats() const;
  // Names of several devices are joined by " + ".
  const std::string& device_name() const { return device_name_; }
  const std::string& driver() const { return driver_; }

 private:
  class Scheduler;

  // A request on its way over devices. Guarded by the mutex, except for the request.
  struct RoutedRequest {
    RequestId id = 0;
    TileRequest request;
    Done done;
    bool cancelled = false;
    Priority priority = Priority::kInteractive;
    // How many devices it was sent to, and the index of the current one.
    std::size_t attempts = 0;
    std::size_t device = 0;
    // The request's id at that device; empty while it is being sent.
    std::optional<RequestId> there = std::nullopt;
  };
  using RoutedRequestPtr = std::shared_ptr<RoutedRequest>;

  void Send(const RoutedRequestPtr& routed);
  void OnAnswer(const RoutedRequestPtr& routed, std::size_t attempt,
                absl::StatusOr<TileValues> result);

  const FieldOptions options_;
  DeviceRoutes routes_;
  std::string device_name_;
  std::string driver_;

  std::mutex mutex_;
  bool stopping_ = false;
  RequestId next_id_ = 1;
  absl::flat_hash_map<RequestId, RoutedRequestPtr> routed_;

  // One for each device. Last, because their threads use the members above.
  std::vector<std::unique_ptr<Scheduler>> devices_;
};

}  // namespace thalweg::field
