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
#include "server/session/ledger.h"
#include "server/session/session_counters.h"
#include "server/session/view_plan.h"
#include "server/session/want_list.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {

// So many tiles are under way or wait to be written at a time: what a client that stops reading
// costs.
inline constexpr std::size_t kSessionWindowTiles = 64;

// A tile that failed is not tried again before so long.
inline constexpr std::chrono::seconds kRetryAfter{1};

// A response to write. With a tile, the response's bytes are head followed by the tile's.
struct Outgoing {
  std::string head;
  cache::TileBytes tile;
};

// What a session needs of the server; all of it outlives the session.
struct SessionContext {
  const world::WorldLibrary* worlds = nullptr;
  tile::TileService* tiles = nullptr;
  // Makes a query the client's. An error says that they must not ask for it.
  std::function<absl::Status(tile::TileQuery&)> bill = [](tile::TileQuery&) {
    return absl::OkStatus();
  };
  // Null: the session is not counted.
  SessionCounters* counters = nullptr;
  // Steady time, for retries.
  std::function<std::chrono::steady_clock::time_point()> now = &std::chrono::steady_clock::now;
};

// Thread-safe. Held by a shared_ptr, also by its tiles' callbacks.
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
  // The next response, which the caller writes before it asks again; none while nothing may be
  // sent.
  std::optional<Outgoing> Next();
  // Asks for tiles until the window is full. To be called after Receive, and when a response was
  // written.
  void Pump();
  // Whether the client should be read from: not while too many answers wait for it.
  bool TakesMore() const;
  // Whether nothing is under way: once Next gives nothing, only a message can change that.
  bool IsIdle() const;
  // Drops everything; no callback comes after it.
  void Close();
  // What ended the session from the inside, else OK.
  absl::Status status() const;

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  // A tile under way. The number tells its answer from that of an earlier question.
  struct Asked {
    std::uint64_t number = 0;
    field::Priority priority = field::Priority::kInteractive;
    tile::TileService::Ticket ticket = tile::TileService::kAnswered;
  };
  struct Ready {
    wire::TileKey key;
    cache::TileBytes bytes;
    lod::TileFacts facts;
  };

  absl::Status Open(const v1::OpenSession& open);
  absl::Status SetView(const v1::View& message);
  absl::Status Want(const v1::WantTiles& want);
  absl::Status Cancel(const v1::CancelTiles& cancel);
  absl::Status Have(const v1::HaveTiles& have);
  absl::Status Drop(const v1::DropTiles& drop);
  absl::Status Grant(const v1::GrantCredit& credit);

  // Each is called with the lock held.
  // What the plan knows of tiles: what the client has been sent. For the call it is handed to.
  auto FactsOf() const {
    return [this](const wire::TileKey& key) { return ledger_.FactsOf(key); };
  }
  std::optional<ViewPlan::Step> TakeStep();
  std::optional<ViewPlan::Step> NextStep();
  // Whether the tile is still to be asked for; tells the client what it need not be sent.
  bool IsMissing(const ViewPlan::Step& step);
  bool MayAsk() const;
  // The first tile that is ready and need not wait for its parent.
  std::optional<Ready> TakeReady();
  void DropUnneeded();
  void Settle();
  void Say(const v1::SessionResponse& response);
  // Counts when the session comes to a stand for want of credit, and when it goes on.
  void NoteCredit();
  void SetStalled(bool stalled);
  void SayFailed(const wire::TileKey& key, const absl::Status& status);

  void Ask(const tile::TileQuery& query, std::uint64_t number);
  void Arrive(const wire::TileKey& key, std::uint64_t number,
              absl::StatusOr<cache::TileBytes> bytes);
  void CancelUnwanted();

  const SessionContext context_;
  Wake wake_;

  mutable std::mutex mutex_;
  bool closed_ = false;
  absl::Status failure_;
  std::optional<tile::TileQuery> form_;
  std::string world_;  // as the client asked for it
  lod::Grid grid_;
  Ledger ledger_;
  WantList wants_;
  ViewPlan plan_;
  std::int64_t credit_tiles_ = 0;
  std::int64_t credit_bytes_ = 0;
  std::uint64_t next_number_ = 1;
  absl::flat_hash_map<wire::TileKey, Asked> asked_;
  std::map<std::uint64_t, Ready> ready_;  // in the order in which they were asked for
  absl::flat_hash_map<wire::TileKey, TimePoint> failed_;
  std::deque<Outgoing> notes_;  // responses without a tile
  std::vector<tile::TileService::Ticket> unwanted_;
  bool settled_ = true;
  bool stalled_ = false;
  SessionCounters uncounted_;  // where the context has none
  SessionCounters& counters_;
};

}  // namespace thalweg::session
