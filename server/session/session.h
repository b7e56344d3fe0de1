// One client's session: what it is sent, in which order, and when.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/wire/limits.h"
#include "server/access/rate_limiter.h"
#include "server/session/failed_tiles.h"
#include "server/session/ledger.h"
#include "server/session/planner.h"
#include "server/session/room.h"
#include "server/session/session_counters.h"
#include "server/session/view_plan.h"
#include "server/session/want_list.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

// The max number of tiles that are under way or wait to be written at a time, and of their bytes:
// the cost of a client that stops reading. Tiles count uncompressed.
inline constexpr std::size_t kSessionWindowTiles = 64;
inline constexpr std::size_t kSessionWindowBytes = std::size_t{64} << 20;

// While a client leaves so many answers unread, its messages are not read and no tile is asked for.
inline constexpr std::size_t kMaxNotes = 4'096;

using wire::kMaxKeysPerMessage;

// A session's plans: the max number of them in a second, also after a pause, and the max share of a
// thread's time that they may take on average.
inline constexpr double kPlansPerS = 60;
inline constexpr double kPlanShare = 0.5;

// How long until a failed tile is tried again.
inline constexpr std::chrono::seconds kRetryAfter{1};

// A response to write. With a tile, the response's bytes are head followed by the tile's.
struct Outgoing {
  std::string head;
  cache::TileBytes tile;
};

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

  // A tile under way. The number distinguishes its answer from an earlier question's.
  struct Asked {
    std::uint64_t number = 0;
    field::Priority priority = field::Priority::kInteractive;
    tile::TileService::Ticket ticket = tile::TileService::kAnswered;
  };
  struct Ready {
    wire::TileKey key;
    cache::FinishedTile tile;
  };

  // Whether the planner has been asked for a plan.
  enum class Planning {
    kNone,
    // It waits for its time; the last plan goes on meanwhile.
    kLater,
    // It is being made, or about to be: the session waits for it.
    kNow,
  };

  absl::Status Open(const v1::OpenSession& open);
  absl::Status SetView(const v1::View& message);
  absl::Status Want(const v1::WantTiles& want);
  absl::Status Cancel(const v1::CancelTiles& cancel);
  absl::Status Have(const v1::HaveTiles& have);
  absl::Status Drop(const v1::DropTiles& drop);
  absl::Status Grant(const v1::GrantCredit& credit);

  // Each is called with the lock held. Makes room for so many further entries, or
  // RESOURCE_EXHAUSTED.
  absl::Status MakeRoom(std::size_t more);
  // All tiles that the session keeps account of.
  std::size_t Entries() const;
  std::optional<ViewPlan::Step> TakeStep();
  std::optional<ViewPlan::Step> NextStep();
  // Whether the tile must be asked for. If the client has kept it, tells the client instead.
  bool IsMissing(const ViewPlan::Step& step);
  bool MayAsk() const;
  // Tiles that are asked for or wait to be written.
  std::size_t UnderWay() const { return asked_.size() + ready_.size(); }
  bool IsPlanDue() const;
  // The first tile that is ready and need not wait for its parent.
  std::optional<Ready> TakeReady();
  void DropUnneeded();
  void Settle();
  void Say(const v1::SessionResponse& response);
  // Counts when the session stalls for credit, and when it goes on.
  void NoteCredit();
  void SetStalled(bool stalled);
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
  void Ask(const tile::TileQuery& query, std::uint64_t number);
  void Arrive(const wire::TileKey& key, std::uint64_t number,
              absl::StatusOr<cache::FinishedTile> tile);
  void CancelUnwanted();

  const SessionContext context_;
  Wake wake_;

  mutable std::mutex mutex_;
  bool closed_ = false;
  std::optional<tile::TileQuery> form_;
  std::string world_;  // as the client asked for it
  lod::Grid grid_;     // does not change once form_ is there
  std::size_t window_tiles_ = 0;
  Room::Share share_;  // Entries(), or a little more
  Ledger ledger_;
  WantList wants_;
  std::optional<std::uint64_t> last_view_id_;
  ViewPlan plan_;
  Planning planning_ = Planning::kNone;
  access::RateLimiter plan_rate_;
  std::int64_t credit_tiles_ = 0;
  std::int64_t credit_bytes_ = 0;
  std::uint64_t next_number_ = 1;
  absl::flat_hash_map<wire::TileKey, Asked> asked_;
  std::map<std::uint64_t, Ready> ready_;  // in the order in which they were asked for
  FailedTiles failed_;
  std::deque<Outgoing> notes_;  // responses without a tile
  std::vector<tile::TileService::Ticket> unwanted_;
  bool settled_ = true;
  bool stalled_ = false;
  SessionCounters& counters_;
};

}  // namespace thalweg::session
