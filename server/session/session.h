// One client's session: what it gets, in which order, and when.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/geometry/selection.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/session/session_tiles.h"
#include "server/session/view_plan.h"
#include "server/sharing/room.h"
#include "server/sharing/threads.h"
#include "server/tile/tile_contents.h"
#include "server/tile/tile_service.h"
#include "server/world/world.h"
#include "server/world/world_library.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

// A response to write: the bytes of head, followed by the tile's, if there is one.
struct Outgoing {
  std::string head;
  tile::TileBytes tile = nullptr;
};

// A session's responses, serialized.
Outgoing OpenedResponse(const world::World& world, const lod::WorldGrid& grid);
Outgoing TileResponse(tile::TileBytes tile);
Outgoing UnchangedResponse(const wire::TileKey& key);
Outgoing FailedResponse(const wire::TileKey& key, const absl::Status& status);
// Settled: how many tiles the view needs, and how many of them failed.
Outgoing SettledResponse(std::uint64_t view_id, std::size_t tiles, std::size_t failed);

// Counters over all sessions of a server.
struct SessionCounters {
  // Sessions that began, and those that are open now.
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<std::int64_t> open = 0;
  // Tiles that were sent, with their bytes; that the client had; that failed.
  std::atomic<std::uint64_t> tiles_sent = 0;
  std::atomic<std::uint64_t> tile_bytes_sent = 0;
  std::atomic<std::uint64_t> tiles_unchanged = 0;
  std::atomic<std::uint64_t> tiles_failed = 0;
  // How often a session stalled because its client had no credit for tiles that it wants, and how
  // many sessions are stalled now.
  std::atomic<std::uint64_t> credit_stalls = 0;
  std::atomic<std::int64_t> stalled = 0;
};

// Counts one session as open, and as stalled if it is, until End. Not thread-safe.
class CountedSession {
 public:
  explicit CountedSession(SessionCounters& counters) : counters_(counters) {
    ++counters_.begun;
    ++counters_.open;
  }

  void SetStalled(bool stalled) {
    if (std::exchange(stalled_, stalled) == stalled) return;
    counters_.stalled += stalled ? 1 : -1;
    if (stalled) ++counters_.credit_stalls;
  }
  // Called once. The counters may be destroyed after this.
  void End() {
    SetStalled(false);
    --counters_.open;
  }

 private:
  SessionCounters& counters_;
  bool stalled_ = false;
};

// Max responses without a tile that may wait for a client. Beyond it, the client's messages are not
// read, and no tile is asked for.
inline constexpr std::size_t kMaxNotes = 4'096;

using wire::kMaxKeysPerMessage;

// The max bytes of a session's entry, a tile in its tables: a key in a table that has just grown,
// its position in a queue, and the allocator's overhead.
inline constexpr std::size_t kEntryBytes = 144;

// How long after a failure a tile is tried again.
inline constexpr std::chrono::seconds kRetryAfter{1};

// What a session's writer must do next.
struct NextResponse {
  // The response to write; empty if nothing may be sent now.
  std::optional<Outgoing> response = std::nullopt;
  // No response can come before the client's next message.
  bool idle = false;
};

// How many things of each kind a session holds. All of them are bounded.
struct SessionLoad {
  std::size_t wanted = 0;
  std::size_t queued = 0;
  std::size_t refused = 0;
  std::size_t sent_set = 0;
  std::size_t failed = 0;
  std::size_t notes = 0;
  std::size_t pending = 0;
  std::size_t unwanted = 0;
  std::size_t selected = 0;
  std::size_t ahead = 0;
};

// What a session needs of the server. Every member must be set, and must outlive the session.
struct SessionContext {
  const world::WorldLibrary* worlds = nullptr;
  tile::TileService* tiles = nullptr;
  // Makes plans when they are due.
  sharing::Timer* timer = nullptr;
  // For the entries of all sessions.
  sharing::Room* room = nullptr;
  // The caller whose share of the room the session uses.
  std::uint64_t caller = 0;
  // Makes a query one of the client's. An error if the client may not ask for it.
  std::function<absl::Status(tile::TileQuery&)> bill;
  SessionCounters* counters = nullptr;
  // Steady time, for retries and for the rate of plans.
  std::function<std::chrono::steady_clock::time_point()> now = &std::chrono::steady_clock::now;
};

// Thread-safe. Held by shared_ptr, also by the callbacks of its tiles.
class Session : public std::enable_shared_from_this<Session> {
 public:
  // Called without a lock, by any thread, when Next may have a new response.
  using Wake = absl::AnyInvocable<void()>;

  Session(const SessionContext& context, Wake wake);
  ~Session();

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Takes a message. An error ends the session.
  absl::Status Receive(const v1::SessionRequest& request);
  // The next response to write, if any. An error ends the session.
  absl::StatusOr<NextResponse> Next();
  // Asks for tiles until the window is full, and for a plan if one is due. Must be called after
  // Receive and after each written response.
  void Pump();
  // Whether to read the client's messages. False while too many responses wait for the client.
  bool AcceptsMore() const;
  // Drops everything. No callback is called after it.
  void Close();
  SessionLoad load() const;

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  absl::Status Open(const v1::OpenSession& open);
  absl::Status SetView(const v1::View& message);
  absl::Status Want(const v1::WantTiles& want);
  absl::Status Cancel(const v1::CancelTiles& cancel);
  absl::Status Have(const v1::HaveTiles& have);
  absl::Status Drop(const v1::DropTiles& drop);
  absl::Status Grant(const v1::GrantCredit& credit);

  // The next functions are called with the lock held. MakeRoom: for `more` entries, or
  // RESOURCE_EXHAUSTED.
  absl::Status MakeRoom(std::size_t more);
  // The number of tiles in the session's tables.
  std::size_t Entries() const;
  // Holds room for this many. False if there is none for further ones.
  bool Hold(std::size_t entries);
  std::optional<ViewPlan::Step> TakeStep();
  std::optional<ViewPlan::Step> NextStep();
  // Whether the tile must be asked for. If the client has kept the tile, sends that instead.
  bool IsMissing(const ViewPlan::Step& step);
  bool MayAsk() const;
  bool IsPlanDue() const;
  void DropUnneeded();
  void Settle();
  // Counts when the session stalls for lack of credit, and when it continues.
  void NoteCredit();
  void SayFailed(const wire::TileKey& key, const absl::Status& status);

  // The next functions are called without it. PlanIfDue: asks for a plan if one is due and none is
  // scheduled or made.
  void PlanIfDue();
  // Called by the timer.
  void Plan();
  // False if no plan was due.
  bool MakePlan();
  bool MustLookAheadNow(const PlanDraft& draft) const;
  void AskForAll();
  void Arrive(const wire::TileKey& key, const tile::TileWaiter* waiter,
              absl::StatusOr<tile::TileContents> tile);
  void CancelUnwanted();

  const SessionContext context_;
  Wake wake_;

  mutable std::mutex mutex_;
  bool closed_ = false;
  // The query of every tile, without its key. Empty until the client has opened the session.
  std::optional<tile::TileQuery> query_;
  std::string world_;           // as the client named it
  lod::WorldGrid grid_;         // does not change once query_ is set
  sharing::Room::Share share_;  // for Entries(), or a few more
  SentSet sent_;
  WantList wants_;
  std::optional<std::uint64_t> last_view_id_;
  ViewPlan plan_;
  PlanPace plan_pace_;
  Credit credit_;
  PendingTiles pending_;
  FailedTiles failed_;
  std::deque<Outgoing> notes_;  // responses without a tile
  bool settled_ = true;
  CountedSession counted_;
  SessionCounters& counters_;
};

}  // namespace thalweg::session
