#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "benchmark/benchmark.h"
#include "proto/geometry/selection.h"
#include "proto/geometry/tile_tree.h"
#include "server/session/session.h"
#include "server/tile/tile_service.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/devices.h"
#include "tests/bench/sample_tiles.h"
#include "tests/sharing/manual_timer.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kWorld[] = "alpine";
constexpr int kSessions = 16;
// Clients say that they have tiles down to this level, so a selection asks for their children.
constexpr int kKnownLevel = 6;
// The facts of rough ground: every near tile is split.
constexpr lod::TileFacts kRough{.geometric_error = 1U << 24, .min_height = 0, .max_height = 0};
// The facts of flat ground: no tile is split.
constexpr lod::TileFacts kFlat{};

v1::View ViewTo(std::uint64_t id, int session, bool east) {
  v1::View view;
  view.set_id(id);
  view.mutable_position_m()->set_east(20'000.0 * session);
  view.mutable_position_m()->set_south(1'000);
  view.mutable_position_m()->set_up(1'500);
  view.mutable_direction()->set_east(east ? 1 : -1);
  view.set_vertical_fov_deg(40);
  view.set_aspect(1.5);
  view.set_viewport_height_px(1080);
  view.set_tolerated_error_px(6);
  view.set_range_m(60'000);
  return view;
}

// A client whose messages reach its session without a network.
class Client {
 public:
  Client(const session::SessionContext& context, sharing::ManualTimer& timer,
         const world::WorldLibrary& worlds, int number)
      : number_(number),
        timer_(timer),
        session_(std::make_shared<session::Session>(context, [] {})) {
    v1::SessionRequest request;
    request.mutable_open()->set_world(kWorld);
    Say(request);
    request.mutable_credit()->set_tiles(1'000);
    request.mutable_credit()->set_bytes(std::uint64_t{1} << 40);
    Say(request);
    const auto world = worlds.Find(kWorld).value();
    HaveCoarse(*world);
    HaveToTheWest(*world);
  }
  ~Client() { session_->Close(); }

  // Returns the seconds until the session has received the view, has planned it, and has given up
  // the tiles that are no longer needed.
  double Look(std::uint64_t id, bool east) {
    v1::SessionRequest request;
    *request.mutable_view() = ViewTo(id, number_, east);
    const Clock::time_point start = Clock::now();
    Say(request);
    timer_.RunAll();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    Listen();
    return seconds;
  }

  // How many of the tiles that the view to the east has asked for are also needed by the view to
  // the west.
  std::size_t AskedForBoth() const {
    const lod::Selection east = SelectionTo(true);
    const lod::Selection west = SelectionTo(false);
    std::size_t asked = 0;
    std::size_t both = 0;
    for (const lod::Wanted& tile : east.tiles()) {
      if (had_.contains(tile.key) || !had_.contains(lod::ParentOf(tile.key))) continue;
      if (asked++ == session::kSessionWindowTiles) break;
      if (west.Find(tile.key) != nullptr) ++both;
    }
    return both;
  }

 private:
  void Receive(const v1::SessionRequest& request) {
    if (const absl::Status status = session_->Receive(request); !status.ok()) {
      std::fprintf(stderr, "thalweg_bench: %s\n", status.ToString().c_str());
      std::exit(1);
    }
  }
  void Say(const v1::SessionRequest& request) {
    Receive(request);
    session_->Pump();
  }

  // Reads until the session has nothing to send and nothing to plan. Without reading, it would
  // stop.
  void Listen() {
    do {
      for (auto turn = session_->Next(); turn.ok() && turn->response; turn = session_->Next()) {
        session_->Pump();
      }
    } while (timer_.RunAll() > 0);
  }

  lod::Selection SelectionTo(bool east) const {
    const auto view = session::FromProto(ViewTo(1, number_, east), wire::Shape::kPlane);
    return lod::Selection::Of(view->view, grid_, [this](const wire::TileKey& key) {
      const auto had = had_.find(key);
      return had == had_.end() ? nullptr : had->second;
    });
  }

  // Says that the client has all tiles that the two views need, down to kKnownLevel.
  void HaveCoarse(const world::World& world) {
    grid_ = {.cell_size_m = world.level(0).cell_size_m, .levels = world.levels()};
    lod::WorldGrid known = grid_;
    known.levels = kKnownLevel + 1;
    std::vector<wire::TileKey> keys;
    for (const bool east : {false, true}) {
      const auto view = session::FromProto(ViewTo(1, number_, east), wire::Shape::kPlane);
      const lod::Selection selection =
          lod::Selection::Of(view->view, known, [](const wire::TileKey&) { return &kRough; });
      for (const lod::Wanted& wanted : selection.tiles()) keys.push_back(wanted.key);
    }
    Have(world, keys, kRough);
  }

  // Says that the client has all tiles that only the view to the west needs. So looking west asks
  // for nothing, and only gives tiles up.
  void HaveToTheWest(const world::World& world) {
    const lod::Selection east = SelectionTo(true);
    for (std::vector<wire::TileKey> keys;; keys.clear()) {
      const lod::Selection west = SelectionTo(false);
      for (const lod::Wanted& wanted : west.tiles()) {
        if (had_.contains(wanted.key) || !had_.contains(lod::ParentOf(wanted.key))) continue;
        if (east.Find(wanted.key) == nullptr) keys.push_back(wanted.key);
      }
      if (keys.empty()) return;
      Have(world, keys, kFlat);
    }
  }

  void Have(const world::World& world, const std::vector<wire::TileKey>& keys,
            const lod::TileFacts& facts) {
    tile::TileQuery query;
    query.world = std::shared_ptr<const world::World>(&world, [](const world::World*) {});
    query.layers.Add(v1::LAYER_HEIGHT);
    v1::SessionRequest request;
    for (const wire::TileKey& key : keys) {
      if (!had_.emplace(key, &facts).second) continue;
      query.key = key;
      v1::HaveTile& have = *request.mutable_have()->add_tiles();
      *have.mutable_key() = tile::ToProto(key);
      have.set_tag(tile::TagOf(query));
      have.set_geometric_error(facts.geometric_error);
    }
    Say(request);
  }

  const int number_;
  lod::WorldGrid grid_;
  sharing::ManualTimer& timer_;
  absl::flat_hash_map<wire::TileKey, const lod::TileFacts*> had_;
  const std::shared_ptr<session::Session> session_;
};

// Clients fill the queue with the tiles that they need, and then turn round. Measures how many of
// the tiles that are not begun are dropped, and how long that takes.
void TurnRound(benchmark::State& state, const std::string& device) {
  double slowest = 0;
  std::size_t queued = 0;
  std::size_t needed = 0;
  std::size_t left = 0;
  for (auto _ : state) {
    const auto worlds = world::WorldLibrary::OfPresets();
    cache::TileCache cache(std::size_t{1} << 20);
    tile::TileService tiles(
        {.field = std::make_unique<field::Field>(Borrow(Device(device)), field::FieldOptions{}),
         .cache = &cache,
         .room = std::make_unique<sharing::AnswerRoom>(std::size_t{256} << 20)});
    sharing::ManualTimer timer;
    session::SessionCounters counters;
    sharing::Room room(std::size_t{1} << 30);
    const session::SessionContext context{.worlds = worlds.get(),
                                          .tiles = &tiles,
                                          .timer = &timer,
                                          .room = &room,
                                          .bill = [](tile::TileQuery&) { return absl::OkStatus(); },
                                          .counters = &counters};
    std::vector<std::unique_ptr<Client>> clients;
    for (int n = 0; n < kSessions; ++n) {
      clients.push_back(std::make_unique<Client>(context, timer, *worlds, n));
      clients.back()->Look(1, true);
    }
    queued += tiles.field_stats().requests_waiting;
    for (const auto& client : clients) slowest = std::max(slowest, client->Look(2, false));
    for (const auto& client : clients) needed += client->AskedForBoth();
    left += tiles.field_stats().requests_waiting;
    clients.clear();
    tiles.Stop();
  }
  state.counters["queued"] = static_cast<double>(queued);
  state.counters["needed_still"] = static_cast<double>(needed);
  state.counters["left"] = static_cast<double>(left);
  state.counters["dropped_share"] =
      static_cast<double>(queued - left) / static_cast<double>(queued - needed);
  state.counters["slowest_ms"] = 1'000 * slowest;
}

}  // namespace

void RegisterCancelBenchmarks(const BenchOptions& options) {
  benchmark::RegisterBenchmark("cancel/turn_round", TurnRound, options.device)
      ->UseRealTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace thalweg::bench
