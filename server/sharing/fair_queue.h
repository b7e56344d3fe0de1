// Work of several clients that waits for a few threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"

namespace thalweg::sharing {

// How much of a client's work belongs to one round, in cells (see world/cost.h). Within a round,
// level and arrival decide.
inline constexpr std::int64_t kCellsARound = std::int64_t{1} << 20;
// What a request counts at least, even if others pay for its blocks. So a round has at most
// sixteen requests of a client.
inline constexpr std::int64_t kLeastCells = kCellsARound / 16;

// Start-time fair queueing (Goyal, Vin and Cheng, 1996): a request starts where the client's work
// before it ends, or at what is being served, whichever is later. A client that asks for little
// work comes next, however much others ask for. A client is forgotten when it has no requests. Not
// thread-safe.
class FairRounds {
 public:
  // The start of a client's next request, which needs this much work, in cells.
  std::int64_t StartOf(std::uint64_t client, std::int64_t cells);
  // A request that has a start was answered or cancelled.
  void Leave(std::uint64_t client);
  // A request of this start is being served: nobody starts earlier any more.
  void Serve(std::int64_t start);

  std::size_t clients() const { return turns_.size(); }

 private:
  struct Turn {
    std::int64_t next = 0;
    std::size_t requests = 0;
  };

  std::int64_t served_ = 0;
  absl::flat_hash_map<std::uint64_t, Turn> turns_;
};

// Start-time fair queueing (Goyal, Vin and Cheng, 1996), by measured time: the client whose work
// has taken the least time goes first. A client's own work is done in the order of its arrival. A
// client that comes, or comes back, begins where the others are: nobody saves up time. Not
// thread-safe.
class FairQueue {
 public:
  using Work = absl::AnyInvocable<void() &&>;
  using Duration = std::chrono::steady_clock::duration;

  struct Taken {
    std::uint64_t client = 0;
    Work work;
    // What the client was charged for it in advance.
    Duration estimate{0};
  };

  void Add(std::uint64_t client, Work work);
  // Takes the next work. The queue must not be empty. Finish must be called when it is done.
  Taken Take();
  // Charges the client for the time that its work has taken.
  void Finish(std::uint64_t client, Duration estimate, Duration taken);

  bool IsEmpty() const { return size_ == 0; }
  // The number of pieces of work that wait.
  std::size_t size() const { return size_; }
  // The number of clients that are remembered.
  std::size_t clients() const { return lines_.size(); }

 private:
  struct Line {
    std::deque<Work> waiting;
    int running = 0;
    // The time of its work so far, counted from where it began.
    Duration used{0};
  };
  using Place = std::pair<Duration, std::uint64_t>;

  void Forget();

  std::size_t size_ = 0;
  int running_ = 0;
  absl::flat_hash_map<std::uint64_t, Line> lines_;
  // The clients with waiting work, the next one first; and those with none at all, which are
  // remembered because they are ahead of the others.
  std::set<Place> waiting_;
  std::set<Place> ahead_;
  // Where the client was that came last to its turn.
  Duration now_{0};
  // How long a piece of work takes, judged by earlier ones.
  Duration typical_{0};
};

}  // namespace thalweg::sharing
