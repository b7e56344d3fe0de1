#include "server/field/scheduler.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_details.h"
#include "server/field/tile_reader.h"
#include "server/sharing/threads.h"

namespace thalweg::field {
namespace {

// The backend recreates a lost device, but not its blocks. Work that failed because of a loss is
// tried once more.
constexpr int kMaxLosses = 1;

// How many tiles are read at once. More would delay the first of them.
constexpr std::size_t kMaxReads = 8;

double SecondsOf(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// How long a client that a full queue refused should wait before it asks again.
constexpr std::chrono::milliseconds kRetryWhenFull{1'000};

// UNAVAILABLE: the device was lost. FAILED_PRECONDITION: a block is of a device that was lost.
bool IsDeviceLoss(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsFailedPrecondition(status);
}

backend::LayerSet LayerSetOf(const std::vector<backend::Layer>& layers) {
  backend::LayerSet set;
  for (const backend::Layer layer : layers) set = set | backend::LayerSet{layer};
  return set;
}

const world::FaceLayout& LayoutOf(const TileRequest& request) {
  return *request.world->level(request.key.level).surface;
}

// The bytes of the values of a request's tile.
std::size_t ValueBytes(const TileRequest& request) {
  const auto margin = static_cast<std::size_t>(request.margin);
  const std::size_t side = wire::kTileVertices + 2 * margin;
  return request.layers.size() * side * side * sizeof(std::int32_t);
}

FieldOptions Checked(const FieldOptions& options) {
  if (options.block_cells < wire::kTileCells ||
      !std::has_single_bit(static_cast<unsigned>(options.block_cells))) {
    std::abort();  // a broken invariant: flags are checked where they are read
  }
  return options;
}

}  // namespace

Field::Scheduler::Scheduler(std::unique_ptr<backend::Backend> backend, const FieldOptions& options)
    : options_(Checked(options)),
      backend_(std::move(backend)),
      plans_(options.block_cells),
      store_(options.block_budget_bytes),
      graph_(&store_),
      values_(options.values_bytes,
              [signal = signal_](std::size_t) {
                const Lock lock(signal->mutex);
                signal->freed = true;
                signal->wake.notify_one();
              }),
      runs_(backend_.get()),
      pace_(backend_->MaxSubmitted()),
      thread_([this] { Loop(); }) {}

Field::Scheduler::~Scheduler() { Stop(); }

Field::RequestId Field::Scheduler::Request(TileRequest request, Done done) {
  Lock lock(mutex_);
  const RequestId id = next_id_++;
  if (absl::Status refusal = CheckRoom(request.priority, request.client); !refusal.ok()) {
    lock.unlock();
    std::move(done)(std::move(refusal));
    return id;
  }
  shares_.Add(request.client);
  Pending& pending = pending_[id];
  std::shared_ptr<const WorldPlan> plan = plans_.Of(request.world);
  world::BlockKey block = BlockOf(request.key, plan->BlockCells(request.key.level));
  block.face = world::BlockFace(LayoutOf(request), block.level, block.face);
  pending.demand = {std::move(plan),  block,          LayerSetOf(request.layers),
                    request.priority, request.client, std::move(request.meter)};
  pending.request = std::move(request);
  pending.done = std::move(done);
  Enqueue(id, pending);
  wake_.notify_one();
  return id;
}

absl::Status Field::Scheduler::CheckRoom(Priority priority, std::uint64_t client) {
  if (stopping_) return absl::UnavailableError("compute a tile: the server is stopping");
  const std::size_t quarters = 4 - static_cast<std::size_t>(priority);
  const std::size_t room = options_.max_requests / 4 * quarters;
  if (shares_.HasRoom(client, room)) return absl::OkStatus();
  ++stats_.requests_refused;
  absl::Status refusal = absl::ResourceExhaustedError(
      absl::StrCat("compute a tile: the queue is full for this caller: max ", room,
                   " requests of this priority, waiting: ", shares_.size(),
                   ", of this caller: ", shares_.HeldBy(client), "; try again later"));
  wire::SetRetryDelay(refusal, kRetryWhenFull);
  return refusal;
}

void Field::Scheduler::Cancel(RequestId id) {
  const Lock lock(mutex_);
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  if (found->second.block == nullptr) stats_.blocks_dropped += graph_.Remove(id);
  Finish(id, absl::CancelledError("compute a tile: cancelled by the caller"));
  wake_.notify_one();
}

void Field::Scheduler::Raise(RequestId id, Priority priority) {
  const Lock lock(mutex_);
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  Pending& pending = found->second;
  TileRequest& request = pending.request;
  if (priority >= request.priority) return;
  if (pending.block == nullptr) {
    graph_.Raise(id, priority);
  } else {
    reads_.Remove(request.priority, id, request.client);
    reads_.Add(priority, id, request.client);
  }
  request.priority = pending.demand.priority = priority;
  wake_.notify_one();
}

void Field::Scheduler::Stop() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
    wake_.notify_one();
  }
  std::call_once(joined_, [this] { thread_.join(); });
}

FieldStats Field::Scheduler::stats() const {
  const Lock lock(mutex_);
  FieldStats stats = stats_;
  stats.blocks_queued = graph_.queued();
  stats.requests_waiting = pending_.size();
  stats.blocks_on_device = store_.size();
  stats.blocks_evicted = store_.evicted();
  stats.bytes_on_device = store_.bytes();
  stats.budget_bytes = options_.block_budget_bytes;
  return stats;
}

void Field::Scheduler::Loop() {
  sharing::GiveWay();
  Lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return HasWork(); });
    if (stopping_) break;
    if (std::exchange(signal_->freed, false)) reads_.Release();
    if (!finished_.empty()) {
      Deliver(lock);
    } else if (ReadsFirst()) {
      ReadFirst(lock);
    } else if (CanSubmit()) {
      SubmitNext(lock);
    } else {
      AwaitFirst(lock);
    }
  }
  // Waits until the device has finished all submitted parts.
  runs_.Clear();
  FinishAll(absl::UnavailableError("compute a tile: the server is stopping"));
  Deliver(lock);
}

bool Field::Scheduler::HasWork() const {
  return stopping_ || !finished_.empty() || reads_.Best() || MayBegin() || !runs_.IsEmpty() ||
         (signal_->freed && reads_.HoldsBack());
}

bool Field::Scheduler::ReadsFirst() const {
  const std::optional<Priority> best = reads_.Best();
  return best && (!MayBegin() || *best <= graph_.BestPriority());
}

bool Field::Scheduler::MayBegin() const {
  return graph_.HasReady() && !(reads_.HoldsBack() && store_.bytes() > options_.block_budget_bytes);
}

BlockGraph::Rank Field::Scheduler::RankOf(const DeviceRuns::Run& run) const {
  BlockGraph::Rank rank = graph_.RankOf(run.batch);
  rank.start += run.SubmittedCells();
  return rank;
}

DeviceRuns::Run* Field::Scheduler::NextRun() {
  return runs_.Next(
      [this](const DeviceRuns::Run& a, const DeviceRuns::Run& b) { return RankOf(a) < RankOf(b); });
}

BlockGraph::Which Field::Scheduler::MayBeginBefore(const DeviceRuns::Run* next) const {
  BlockGraph::Which which;
  if (next != nullptr) which.before = RankOf(*next);
  if (runs_.HasOver(pace_.LongCells())) which.max_cells = pace_.LongCells();
  return which;
}

bool Field::Scheduler::BatchFirst(const DeviceRuns::Run* next) const {
  return MayBegin() && !runs_.IsFull() && graph_.HasReady(MayBeginBefore(next));
}

bool Field::Scheduler::CanSubmit() {
  if (!runs_.MaySubmit()) return false;
  // When all parts of the runs under way are submitted, the next batch may follow them.
  const DeviceRuns::Run* const next = NextRun();
  return next != nullptr || BatchFirst(next);
}

void Field::Scheduler::Deliver(Lock& lock) {
  std::vector<Finished> finished = std::move(finished_);
  finished_.clear();
  lock.unlock();
  for (Finished& one : finished) std::move(one.done)(std::move(one.result));
  // Callbacks may own much, so they are destroyed outside of the lock too.
  finished.clear();
  lock.lock();
}

void Field::Scheduler::ReadFirst(Lock& lock) {
  std::vector<std::shared_ptr<sharing::Room::Share>> shares;
  const std::vector<RequestId> ids = reads_.Take(kMaxReads, [&](RequestId id) {
    const TileRequest& request = pending_.at(id).request;
    auto share = std::make_shared<sharing::Room::Share>(values_, request.client);
    const std::size_t bytes = ValueBytes(request);
    // Values that are larger than any client's part are read when there are no others.
    if (values_.held() == 0) share->HoldAnyway(bytes);
    if (!share->Hold(bytes)) return false;
    shares.push_back(std::move(share));
    return true;
  });
  std::vector<TileRead> reads;
  for (const RequestId id : ids) {
    // The request may be cancelled during the read, so the read works on copies.
    const Pending& pending = pending_.at(id);
    const wire::TileKey& key = pending.request.key;
    reads.push_back({pending.block, key, pending.request.layers, pending.request.margin,
                     world::WindowOf(LayoutOf(pending.request), key.level, key.face)});
  }
  if (ids.empty()) return;
  lock.unlock();
  const auto start = Clock::now();
  absl::StatusOr<std::vector<TileValues>> values =
      wire::Guarded("read tiles", [&] { return ReadTiles(*backend_, reads); });
  const auto duration = Clock::now() - start;
  reads.clear();
  if (values.ok()) {
    for (std::size_t i = 0; i < ids.size(); ++i) (*values)[i].share = std::move(shares[i]);
  }
  shares.clear();
  lock.lock();
  stats_.reads += {ids.size(), SecondsOf(duration)};
  if (!values.ok() && IsDeviceLoss(values.status())) {
    RecoverDevice(ids, values.status());
    return;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!values.ok()) {
      Finish(ids[i], values.status());
    } else if (pending_.contains(ids[i])) {
      Finish(ids[i], std::move((*values)[i]));
    }
  }
  store_.Trim();
  // The values of requests that were cancelled meanwhile give their room back, without the lock.
  lock.unlock();
  values = std::vector<TileValues>();
  lock.lock();
}

void Field::Scheduler::SubmitNext(Lock& lock) {
  DeviceRuns::Run* const next = NextRun();
  DeviceRuns::Run& run = BatchFirst(next) ? AddRun(next) : *next;
  lock.unlock();
  const absl::Status status = runs_.Submit(run);
  lock.lock();
  if (!status.ok()) FailRun(run, status);
}

DeviceRuns::Run& Field::Scheduler::AddRun(const DeviceRuns::Run* next) {
  const bool urgent = graph_.BestPriority() == Priority::kInteractive;
  Batch batch = graph_.Take(
      [this, urgent](const Batch& of) {
        const int max = backend_->MaxBatch(of.Shape());
        return urgent || max < 1 ? max : pace_.Limit(max, of.WindowCells());
      },
      MayBeginBefore(next));
  const int parts = pace_.Parts(static_cast<double>(batch.Cells()), urgent);
  return runs_.Add(std::move(batch), parts);
}

void Field::Scheduler::AwaitFirst(Lock& lock) {
  lock.unlock();
  const auto [run, status] = runs_.Await();
  lock.lock();
  if (!status.ok()) return FailRun(*run, status);
  if (runs_.IsDone(*run)) FinishRun(*run);
}

void Field::Scheduler::FinishRun(const DeviceRuns::Run& run) {
  CountRun(run);
  const Batch& batch = run.batch;
  stats_.blocks_computed += batch.blocks.size();
  stats_.levels[static_cast<std::size_t>(batch.level)].blocks_computed += batch.blocks.size();
  for (BlockGraph::Answer& answer : graph_.Finish(batch, run.pending->Take())) {
    AwaitRead(answer.request, pending_.at(answer.request), std::move(answer.block));
  }
  // From here blocks that only this batch held can be dropped.
  runs_.Remove(run);
  store_.Trim();
}

void Field::Scheduler::FailRun(const DeviceRuns::Run& run, const absl::Status& status) {
  CountRun(run);
  ++stats_.runs_failed;
  const std::vector<RequestId> struck = graph_.Fail(run.batch);
  runs_.Remove(run);
  if (IsDeviceLoss(status)) {
    RecoverDevice(struck, status);
    return;
  }
  for (const RequestId id : struck) Finish(id, status);
}

void Field::Scheduler::CountRun(const DeviceRuns::Run& run) {
  pace_.Learn(run.taken, static_cast<double>(run.SubmittedCells()));
  ++stats_.batches;
  const auto level = static_cast<std::size_t>(run.batch.level);
  if (level >= stats_.levels.size()) stats_.levels.resize(level + 1);
  stats_.levels[level].runs += {1, SecondsOf(run.taken)};
  for (const auto& [stage, time] : run.stage_times) stats_.stages[stage] += time;
}

void Field::Scheduler::Enqueue(RequestId id, Pending& pending) {
  BlockPtr block = graph_.Add(id, pending.demand);
  if (block != nullptr) AwaitRead(id, pending, std::move(block));
}

void Field::Scheduler::AwaitRead(RequestId id, Pending& pending, BlockPtr block) {
  pending.block = std::move(block);
  reads_.Add(pending.request.priority, id, pending.request.client);
}

void Field::Scheduler::Finish(RequestId id, absl::StatusOr<TileValues> result) {
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  const TileRequest& request = found->second.request;
  reads_.Remove(request.priority, id, request.client);
  shares_.Remove(found->second.demand.client);
  finished_.push_back({std::move(found->second.done), std::move(result)});
  pending_.erase(found);
}

void Field::Scheduler::RecoverDevice(const std::vector<RequestId>& struck,
                                     const absl::Status& status) {
  ++stats_.device_losses;
  // The loss ends all other work under way too; all its requests are planned again.
  runs_.Clear();
  graph_.Clear();
  store_.Clear();
  reads_.Clear();
  for (const RequestId id : struck) {
    const auto found = pending_.find(id);
    if (found != pending_.end() && ++found->second.losses > kMaxLosses) {
      Finish(id, absl::UnavailableError(status.message()));
    }
  }
  std::vector<RequestId> first_come;
  for (const auto& [id, pending] : pending_) first_come.push_back(id);
  std::sort(first_come.begin(), first_come.end());
  for (const RequestId id : first_come) {
    Pending& pending = pending_.at(id);
    pending.block.reset();
    // Computing again costs the caller nothing: a lost device is not its fault.
    pending.demand.meter = nullptr;
    Enqueue(id, pending);
  }
}

void Field::Scheduler::FinishAll(const absl::Status& status) {
  graph_.Clear();
  while (!pending_.empty()) Finish(pending_.begin()->first, status);
}

}  // namespace thalweg::field
