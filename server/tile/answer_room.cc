#include "server/tile/answer_room.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "proto/wire/tile_key.h"
#include "server/tile/tile_layers.h"

namespace thalweg::tile {
namespace {

// The max bytes of one value of a layer, and of a layer.
constexpr std::size_t kMaxValueBytes = 4;
constexpr std::size_t kLayerBytes =
    std::size_t{wire::kTileVertices} * wire::kTileVertices * kMaxValueBytes;

constexpr std::chrono::seconds kReleaseInterval{1};

}  // namespace

std::size_t MaxAnswerBytes(const TileQuery& query) {
  const std::vector<v1::Layer> layers = query.layers.List();
  return kLayerBytes * std::max(layers.size(), SourcesOf(layers).layers.size());
}

// Shared with the room's callback, which shares may call when the room is gone.
struct AnswerRoom::Signal {
  std::mutex mutex;
  std::condition_variable wake;
  // Whether there may be room for requests that wait.
  bool freed = false;
  // Whether much was given back.
  bool emptied = false;
  bool stopping = false;
  // The number of requests that wait or are about to. So no lock is needed when none does.
  std::atomic<std::size_t> waiting = 0;
  // The most bytes that were held since `emptied` was set; threads that change it at the same time
  // may miss a few.
  std::atomic<std::size_t> fullest = 0;
  const std::size_t much;

  explicit Signal(std::size_t much_bytes) : much(much_bytes) {}

  void Free(std::size_t held) {
    if (held > fullest) fullest = held;
    const bool empties = fullest >= held + much;
    if (waiting == 0 && !empties) return;
    const std::lock_guard lock(mutex);
    freed = true;
    if (empties) {
      emptied = true;
      fullest = held;
    }
    wake.notify_one();
  }
};

AnswerRoom::AnswerRoom(std::size_t bytes, std::function<void()> on_release)
    : on_release_(std::move(on_release)),
      signal_(std::make_shared<Signal>(bytes / 8)),
      room_(bytes, [signal = signal_](std::size_t held) { signal->Free(held); }),
      thread_([this] { Loop(); }) {}

AnswerRoom::~AnswerRoom() {
  {
    const std::lock_guard lock(signal_->mutex);
    signal_->stopping = true;
    signal_->wake.notify_one();
  }
  thread_.join();
}

std::optional<AnswerRoom::Share> AnswerRoom::Try(std::uint64_t client, std::size_t bytes) {
  Share share(room_, client);
  if (signal_->waiting > 0) {
    const std::lock_guard lock(signal_->mutex);
    if (waiting_.contains(client)) return std::nullopt;
  }
  if (!share.Hold(Capped(bytes))) return std::nullopt;
  return share;
}

AnswerRoom::Ticket AnswerRoom::Await(std::uint64_t client, std::size_t bytes, Take take) {
  bytes = Capped(bytes);
  Share share(room_, client);
  Ticket ticket{};
  {
    const std::lock_guard lock(signal_->mutex);
    ticket = next_ticket_++;
    // Counted before the room is asked: bytes that come back after that wake the thread.
    ++signal_->waiting;
    if (waiting_.contains(client) || !share.Hold(bytes)) {
      waiting_[client].emplace(ticket, Waiter{bytes, std::move(take)});
      client_of_.emplace(ticket, client);
      return ticket;
    }
    --signal_->waiting;
  }
  std::move(take)(std::move(share));
  return ticket;
}

bool AnswerRoom::Withdraw(Ticket ticket) {
  Waiter withdrawn;
  {
    const std::lock_guard lock(signal_->mutex);
    const auto found = client_of_.find(ticket);
    if (found == client_of_.end()) return false;
    withdrawn = Remove(found->second, ticket);
    // Those behind it may have room.
    signal_->freed = true;
    signal_->wake.notify_one();
  }
  return true;
}

bool AnswerRoom::MayAskAhead(std::uint64_t client, std::size_t bytes) const {
  return room_.HasRoom(client, room_.bytes() / 2, Capped(bytes));
}

std::size_t AnswerRoom::waiting() const { return signal_->waiting; }

void AnswerRoom::ReleaseMemory(std::unique_lock<std::mutex>& lock) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_release_) return;
  signal_->emptied = false;
  next_release_ = now + kReleaseInterval;
  if (on_release_ == nullptr) return;
  lock.unlock();
  on_release_();
  lock.lock();
}

AnswerRoom::Waiter AnswerRoom::Remove(std::uint64_t client, Ticket ticket) {
  const auto line = waiting_.find(client);
  const auto found = line->second.find(ticket);
  Waiter removed = std::move(found->second);
  line->second.erase(found);
  if (line->second.empty()) waiting_.erase(line);
  client_of_.erase(ticket);
  --signal_->waiting;
  return removed;
}

std::vector<AnswerRoom::Served> AnswerRoom::ServeAll() {
  std::vector<Served> served;
  // Clients take turns, one request each, until no client has room for its next one.
  for (bool any = true; any;) {
    any = false;
    for (auto line = waiting_.begin(); line != waiting_.end();) {
      const std::uint64_t client = line->first;
      const auto& [ticket, waiter] = *line->second.begin();
      ++line;  // Remove may erase the former one.
      Share share(room_, client);
      if (!share.Hold(waiter.bytes)) continue;
      served.push_back({Remove(client, ticket).take, std::move(share)});
      any = true;
    }
  }
  return served;
}

void AnswerRoom::Loop() {
  std::unique_lock lock(signal_->mutex);
  const auto has_work = [this] { return signal_->stopping || signal_->freed; };
  while (true) {
    if (signal_->emptied) {
      signal_->wake.wait_until(lock, next_release_, has_work);
    } else {
      signal_->wake.wait(lock, has_work);
    }
    if (signal_->stopping) return;
    if (signal_->emptied) ReleaseMemory(lock);
    signal_->freed = false;
    std::vector<Served> served = ServeAll();
    lock.unlock();
    for (Served& one : served) std::move(one.take)(std::move(one.share));
    served.clear();
    lock.lock();
  }
}

}  // namespace thalweg::tile
