// One client's session: what it is sent, in which order, and when.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/wire/limits.h"
#include "server/session/credit.h"
#include "server/session/failed_tiles.h"
#include "server/session/ledger.h"
#include "server/session/plan_pace.h"
#include "server/session/planner.h"
#include "server/session/responses.h"
#include "server/session/room.h"
#include "server/session/session_counters.h"
#include "server/session/tiles_under_way.h"
#include "server/session/view_plan.h"
#include "server/session/want_list.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

// Max unread responses of a client. Beyond it the client's messages are not read, and no tile is
// asked for.
inline constexpr std::size_t kMaxNotes = 4'096;

using wire::kMaxKeysPerMessage;

// How long until a failed tile is tried again.
inline constexpr std::chrono::seconds kRetryAfter{1};

// What a session's writer is to do next.
struct Turn {
  // To be written before the next turn; none while nothing may be sent.
  std::optional<Outgoing> response = std::nullopt;
  // There is no response, and none can come before the client's next message.
  bool idle = false;
};

// How much a session holds of each thing. All of it is bounded.
struct SessionLoad {
  std::size_t wanted = 0;
  std::size_t queued = 0;
  std::size_t refused = 0;
  std::size_t ledger = 0;
  std::size_t failed = 0;
  std::size_t notes = 0;
  std::size_t under_way = 0;
  std::size_t unwanted = 0;
  std::size_t selected = 0;
  std::size_t ahead = 0;
};

// What a session needs of the server; all of it outlives the session.
struct SessionContext {
  const world::WorldLibrary* worlds = nullptr;
  tile::TileService* tiles = nullptr;
  Planner* planner = nullptr;
  // Null: only the session's own bounds count.
  Room* room = nullptr;
  // The caller whose share of the room the session uses.
  std::uint64_t caller = 0;
  // Makes a query the client's. An error if the client must not ask for it.
  std::function<absl::Status(tile::TileQuery&)> bill = [](tile::TileQuery&) {
    return absl::OkStatus();
  };
  SessionCounters* counters = nullptr;
  // Steady time, for retries and for the rate of plans.
  std::function<std::chrono::steady_clock::time_point()> now = &std::chrono::steady_clock::now;
};

// Thread-safe. Held by shared_ptr, also in its tiles' callbacks.
class Session : public std::enable_shared_from_this<Session> {
 public:
  // Called without a lock, by any thread, when Next may have something again.
  using Wake = absl::AnyInvocable<void()>;

  Session(const SessionContext& context, Wake wake);
  ~Session();

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Takes a message. An error ends the session.
  absl::Status Receive(const v1::SessionRequest& request);
  // The next response to write, if any. An error ends the session.
  absl::StatusOr<Turn> Next();
  // Asks for tiles until the window is full, and for a plan if one is due. Must be called after
  // Receive and after each written response.
  void Pump();
  // Whether to read the client's messages: not while too many answers wait for it.
  bool TakesMore() const;
  // Drops everything; no callback follows.
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

  // Each is called with the lock held. Makes room for further entries, or
  // RESOURCE_EXHAUSTED.
  absl::Status MakeRoom(std::size_t more);
  // All tiles that the session keeps account of.
  std::size_t Entries() const;
  std::optional<ViewPlan::Step> TakeStep();
  std::optional<ViewPlan::Step> NextStep();
  // Whether the tile must be asked for. If the client has kept it, tells the client instead.
  bool IsMissing(const ViewPlan::Step& step);
  bool MayAsk() const;
  bool IsPlanDue() const;
  void DropUnneeded();
  void Settle();
  // Counts when the session stalls for credit, and when it goes on.
  void NoteCredit();
  void SayFailed(const wire::TileKey& key, const absl::Status& status);

  // Each is called without it.
  // Asks the planner for a plan if one is due and none is on its way.
  void PlanIfDue();
  // Run by the planner.
  void Plan();
  // False if there was nothing to plan.
  bool MakePlan();
  bool MustLookAheadNow(const PlanDraft& draft) const;
  void AskForAll();
  void Arrive(const wire::TileKey& key, std::uint64_t number,
              const absl::StatusOr<cache::FinishedTile>& tile);
  void CancelUnwanted();

  const SessionContext context_;
  Wake wake_;

  mutable std::mutex mutex_;
  bool closed_ = false;
  // Of every tile, whose key is filled in. Nothing until the client has opened the session.
  std::optional<tile::TileQuery> query_;
  std::string world_;  // as the client asked for it
  lod::Grid grid_;     // does not change once query_ is there
  Room::Share share_;  // Entries(), or a little more
  Ledger ledger_;
  WantList wants_;
  std::optional<std::uint64_t> last_view_id_;
  ViewPlan plan_;
  PlanPace plan_pace_;
  Credit credit_;
  TilesUnderWay under_way_;
  FailedTiles failed_;
  std::deque<Outgoing> notes_;  // responses without a tile
  bool settled_ = true;
  CountedSession counted_;
  SessionCounters& counters_;
};

}  // namespace thalweg::session
