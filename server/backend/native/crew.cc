#include "server/backend/native/crew.h"

#include <algorithm>
#include <utility>

namespace thalweg::backend::native {
namespace {

// Pieces for each thread, so that a thread that another program holds up leaves its pieces to the
// others.
constexpr int kPieces = 12;
// How often a thread looks for news before it sleeps: others finish within microseconds.
constexpr int kLooks = 4000;

// Waits until the value is `least` or more.
void AwaitValue(const std::atomic<std::uint64_t>& value, std::uint64_t least, int looks) {
  std::uint64_t now = value.load(std::memory_order_acquire);
  for (int look = 0; now < least && look < looks; ++look) {
    now = value.load(std::memory_order_acquire);
  }
  for (; now < least; now = value.load(std::memory_order_acquire)) value.wait(now);
}

}  // namespace

Crew::Crew(int threads) : Crew() {
  // An exception here calls the destructor, which joins the threads made so far: the other
  // constructor has already returned.
  for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { Begin(); });
}

Crew::~Crew() {
  ends_ = true;
  ++calls_;
  calls_.notify_all();
}

std::vector<Crew::Clock::time_point> Crew::Share(std::span<const int> rows, Work work) {
  if (rows.empty()) return {};
  rows_ = rows;
  work_ = &work;
  next_ = std::vector<std::atomic<int>>(rows.size());
  ends_of_steps_.resize(rows.size());
  first_step_ = done_;
  ++calls_;
  calls_.notify_all();
  AwaitValue(done_, first_step_ + rows.size(), 0);
  return std::move(ends_of_steps_);
}

void Crew::Meet(std::size_t step, std::uint64_t first_step) {
  if (arrived_.fetch_add(1) + 1 < threads()) {
    AwaitValue(done_, first_step + step + 1, kLooks);
    return;
  }
  ends_of_steps_[step] = Clock::now();
  arrived_ = 0;
  done_ = first_step + step + 1;
  done_.notify_all();
}

void Crew::DoSteps() {
  // The caller may go on, and call again, as soon as the last step is done.
  const std::uint64_t first_step = first_step_;
  const std::span<const int> rows = rows_;
  for (std::size_t step = 0; step < rows.size(); ++step) {
    const int count = rows[step];
    const int piece = std::max(1, count / (kPieces * threads()));
    std::atomic<int>& next = next_[step];
    for (int first = next.fetch_add(piece); first < count; first = next.fetch_add(piece)) {
      (*work_)(step, first, std::min(first + piece, count));
    }
    Meet(step, first_step);
  }
}

void Crew::Begin() {
  for (std::uint32_t seen = 0;; ++seen) {
    calls_.wait(seen);
    if (ends_) return;
    DoSteps();
  }
}

}  // namespace thalweg::backend::native
