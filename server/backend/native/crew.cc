#include "server/backend/native/crew.h"

#include <algorithm>

namespace thalweg::backend::native {
namespace {

// Pieces for each thread, so that a thread that another program holds up leaves its pieces to the
// others.
constexpr int kPieces = 8;
// How often a thread looks for news before it sleeps: dispatches follow each other within
// microseconds.
constexpr int kLooks = 2000;

// Waits until the value is another one than `old`.
template <typename Value>
void AwaitOther(const std::atomic<Value>& value, Value old) {
  for (int look = 0; look < kLooks; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Crew::Crew(int threads) {
  for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { Work(); });
}

Crew::~Crew() {
  ends_ = true;
  ++round_;
  round_.notify_all();
}

void Crew::Share(int count, absl::FunctionRef<void(int first, int last)> work) {
  if (count <= 0) return;
  work_ = &work;
  count_ = count;
  piece_ = std::max(1, count / (kPieces * threads()));
  next_ = 0;
  busy_ = static_cast<int>(workers_.size());
  ++round_;
  round_.notify_all();
  for (int busy = busy_; busy > 0; busy = busy_) AwaitOther(busy_, busy);
}

void Crew::Work() {
  std::uint32_t seen = 0;
  while (true) {
    AwaitOther(round_, seen);
    ++seen;
    if (ends_) return;
    for (int first = next_.fetch_add(piece_); first < count_; first = next_.fetch_add(piece_)) {
      (*work_)(first, std::min(first + piece_, count_));
    }
    if (busy_.fetch_sub(1) == 1) busy_.notify_one();
  }
}

}  // namespace thalweg::backend::native
