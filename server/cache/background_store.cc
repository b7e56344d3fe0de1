#include "server/cache/background_store.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/invalid.h"

namespace thalweg::cache {

BackgroundStore::BackgroundStore(Idle, std::unique_ptr<TileStore> store,
                                 BackgroundStoreOptions options)
    : store_(std::move(store)), options_(std::move(options)) {}

BackgroundStore::BackgroundStore(std::unique_ptr<TileStore> store, BackgroundStoreOptions options)
    : BackgroundStore(Idle(), std::move(store), std::move(options)) {
  // An exception here calls the destructor, which joins the threads made so far: the other
  // constructor has already returned.
  for (int k = 0; k < options_.load_threads; ++k) {
    threads_.emplace_back([this] { LoadLoop(); });
  }
  threads_.emplace_back([this] { SaveLoop(); });
  watch_ = std::thread([this] { WatchLoop(); });
}

BackgroundStore::~BackgroundStore() { Stop(); }

void BackgroundStore::Load(const TileId& id, Done done) {
  {
    const std::lock_guard lock(mutex_);
    const bool ask =
        !stopping_ && !all_stuck() && waiting_loads_.size() < options_.max_waiting_loads;
    if (ask) {
      waiting_loads_.push_back({id, std::move(done)});
      load_wake_.notify_one();
      return;
    }
    ++stats_.skipped;
  }
  std::move(done)({});
}

void BackgroundStore::Save(const TileId& id, TileBytes bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t size = bytes->size();
  if (stopping_ || waiting_save_bytes_ + size > options_.max_waiting_save_bytes) {
    ++stats_.dropped_saves;
    return;
  }
  waiting_save_bytes_ += size;
  waiting_saves_.push_back({id, std::move(bytes)});
  save_wake_.notify_one();
}

void BackgroundStore::Stop() {
  std::deque<WaitingLoad> unanswered;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    unanswered.swap(waiting_loads_);
    stats_.skipped += unanswered.size();
  }
  for (WaitingLoad& load : unanswered) std::move(load.done)({});
  load_wake_.notify_all();
  save_wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  // The watch ends last: until then it answers the loads of threads that hang.
  watch_wake_.notify_all();
  if (watch_.joinable()) watch_.join();
}

void BackgroundStore::LoadLoop() {
  std::unique_lock lock(mutex_);
  while (true) {
    load_wake_.wait(lock, [this] { return stopping_ || !waiting_loads_.empty(); });
    if (waiting_loads_.empty()) return;
    WaitingLoad load = std::move(waiting_loads_.front());
    waiting_loads_.pop_front();
    const Clock::time_point now = Clock::now();
    running_.push_back({std::move(load.done), now, now + options_.patience});
    const auto running = std::prev(running_.end());
    // Wakes the watch, which sleeps without a limit while no load runs.
    if (running_.size() - stuck_ == 1) watch_wake_.notify_all();
    lock.unlock();
    Loaded loaded = LoadChecked(load.id);
    lock.lock();
    Finish(lock, running, std::move(loaded));
  }
}

BackgroundStore::Loaded BackgroundStore::LoadChecked(const TileId& id) {
  auto loaded = wire::Guarded("load", [&]() -> absl::StatusOr<Loaded> {
    LoadResult result = store_->Load(id);
    if (result.bytes == nullptr || !options_.check) {
      return Loaded{result.outcome, {std::move(result.bytes), {}}};
    }
    const absl::StatusOr<lod::TileFacts> facts = options_.check(id, *result.bytes);
    // A save of the right tile will replace the record.
    if (!facts.ok()) return Loaded{LoadOutcome::kBadRecord, {}};
    return Loaded{result.outcome, {std::move(result.bytes), *facts}};
  });
  return loaded.ok() ? *std::move(loaded) : Loaded{LoadOutcome::kError, {}};
}

SaveOutcome BackgroundStore::SaveGuarded(const WaitingSave& save) {
  return wire::Guarded(
             "save",
             [&]() -> absl::StatusOr<SaveOutcome> { return store_->Save(save.id, save.bytes); })
      .value_or(SaveOutcome::kError);
}

void BackgroundStore::Finish(std::unique_lock<std::mutex>& lock,
                             std::list<RunningLoad>::iterator running, Loaded loaded) {
  const bool given_up = running->given_up;
  const Clock::duration duration = Clock::now() - running->begun;
  Done done = std::move(running->done);
  running_.erase(running);
  if (given_up) {
    --stuck_;
  } else {
    CountLoad(loaded, duration);
  }
  lock.unlock();
  TellHealth();
  if (!given_up) std::move(done)(std::move(loaded.tile));
  lock.lock();
}

void BackgroundStore::CountLoad(const Loaded& loaded, Clock::duration duration) {
  ++stats_.loads_answered;
  stats_.load_seconds += std::chrono::duration<double>(duration).count();
  switch (loaded.outcome) {
    case LoadOutcome::kHit:
      ++stats_.hits;
      stats_.loaded_bytes += loaded.tile.size();
      return;
    case LoadOutcome::kMiss:
      ++stats_.misses;
      return;
    case LoadOutcome::kBadRecord:
      ++stats_.bad_records;
      return;
    case LoadOutcome::kError:
      ++stats_.errors;
      return;
    case LoadOutcome::kSkipped:
      ++stats_.skipped;
      return;
  }
}

void BackgroundStore::SaveLoop() {
  std::unique_lock lock(mutex_);
  while (true) {
    save_wake_.wait(lock, [this] { return stopping_ || !waiting_saves_.empty(); });
    if (waiting_saves_.empty()) return;
    const WaitingSave save = std::move(waiting_saves_.front());
    waiting_saves_.pop_front();
    lock.unlock();
    const SaveOutcome outcome = SaveGuarded(save);
    TellHealth();
    lock.lock();
    waiting_save_bytes_ -= save.bytes->size();
    if (outcome == SaveOutcome::kSaved) {
      ++stats_.saves;
      stats_.saved_bytes += save.bytes->size();
    } else if (outcome == SaveOutcome::kError) {
      ++stats_.save_errors;
    } else {
      ++stats_.dropped_saves;
    }
  }
}

void BackgroundStore::WatchLoop() {
  std::unique_lock lock(mutex_);
  while (!stopping_ || !running_.empty()) {
    std::vector<Done> overdue = TakeOverdue();
    if (!overdue.empty()) {
      lock.unlock();
      TellHealth();
      for (Done& done : overdue) std::move(done)({});
      lock.lock();
      continue;
    }
    const auto first = std::find_if(running_.begin(), running_.end(),
                                    [](const RunningLoad& load) { return !load.given_up; });
    if (first == running_.end()) {
      watch_wake_.wait(lock);
    } else {
      const Clock::time_point deadline = first->deadline;
      watch_wake_.wait_until(lock, deadline);
    }
  }
}

std::vector<BackgroundStore::Done> BackgroundStore::TakeOverdue() {
  std::vector<Done> overdue;
  const Clock::time_point now = Clock::now();
  for (RunningLoad& load : running_) {
    if (load.given_up || load.deadline > now) continue;
    load.given_up = true;
    ++stuck_;
    ++stats_.errors;
    overdue.push_back(std::move(load.done));
  }
  if (all_stuck()) {
    for (WaitingLoad& load : waiting_loads_) overdue.push_back(std::move(load.done));
    stats_.skipped += waiting_loads_.size();
    waiting_loads_.clear();
  }
  return overdue;
}

absl::Status BackgroundStore::HealthLocked() const {
  if (all_stuck()) {
    return absl::DeadlineExceededError(
        absl::StrCat(store_->name(), ": no answer for ", options_.patience.count(), " ms"));
  }
  return absl::OkStatus();
}

absl::Status BackgroundStore::health() const {
  {
    const std::lock_guard lock(mutex_);
    absl::Status stuck = HealthLocked();
    if (!stuck.ok()) return stuck;
  }
  return store_->health();
}

void BackgroundStore::TellHealth() {
  if (!options_.on_health) return;
  const std::lock_guard lock(health_mutex_);
  const absl::Status now = health();
  if (now.ok() == told_healthy_) return;
  told_healthy_ = now.ok();
  options_.on_health(store_->name(), now);
}

StoreStats BackgroundStore::stats() const {
  StoreStats stats;
  {
    const std::lock_guard lock(mutex_);
    stats = stats_;
    stats.waiting_loads = waiting_loads_.size() + running_.size() - stuck_;
    stats.waiting_saves = waiting_saves_.size();
  }
  stats.bytes = store_->bytes();
  return stats;
}

}  // namespace thalweg::cache
