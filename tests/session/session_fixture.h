// Sessions over a fake device, without gRPC.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/cache/tile_cache.h"
#include "server/session/session.h"
#include "server/tile/tile_service.h"
#include "server/world/world_library.h"
#include "tests/field/fake_backend.h"
#include "tests/session/manual_planner.h"

namespace thalweg::session {

// Its failure is answered at once, whatever else waits.
inline constexpr wire::TileKey kNoTile{.level = 99};

// So many tiles of level 0, beside each other.
std::vector<wire::TileKey> RowOf(std::int64_t count, std::int64_t first = 0);

v1::SessionRequest WantOf(const std::vector<wire::TileKey>& keys,
                          v1::Priority priority = v1::PRIORITY_INTERACTIVE);
// The same in as many messages as it takes.
std::vector<v1::SessionRequest> WantsOf(const std::vector<wire::TileKey>& keys,
                                        v1::Priority priority = v1::PRIORITY_INTERACTIVE);
v1::SessionRequest CancelOfAll();
v1::SessionRequest CreditOf(std::uint32_t tiles, std::uint64_t bytes = std::uint64_t{1} << 40);
// A message with this camera: SampleView.
v1::SessionRequest ViewOf(std::uint64_t id, double east_m = 0);

class SessionFixture : public testing::Test {
 protected:
  SessionFixture();
  explicit SessionFixture(std::shared_ptr<const world::World> world);
  ~SessionFixture() override;

  // A session of the world that is open; its answer to that has been taken.
  std::shared_ptr<Session> Open();
  // One whose owner may not have anything generated.
  std::shared_ptr<Session> OpenWithoutBudget();

  // Hands a message over as a call does.
  static absl::Status Send(Session& session, const v1::SessionRequest& request);
  // Messages, to the first that is an error.
  static absl::Status Send(Session& session, const std::vector<v1::SessionRequest>& requests);
  // What the session has to write now, as a call takes it, until it has nothing. Says whether the
  // last turn was idle.
  static std::vector<v1::SessionResponse> Take(Session& session, bool* idle = nullptr);
  // The same until a number of tiles have come; runs plans, and waits for tiles under way.
  std::vector<v1::Tile> AwaitTiles(Session& session, std::size_t count);
  // Waits for a wake that comes after this many.
  void AwaitWake(int count) const;
  // A message that the client kept these tiles, with ground of this roughness.
  v1::SessionRequest HaveOf(const std::vector<wire::TileKey>& keys,
                            std::uint32_t geometric_error = 1) const;
  // The same in as many messages as it takes.
  std::vector<v1::SessionRequest> HavesOf(const std::vector<wire::TileKey>& keys,
                                          std::uint32_t geometric_error = 1) const;

  std::shared_ptr<Session> OpenWith(const SessionContext& context);

  std::shared_ptr<const world::World> world_;
  std::unique_ptr<world::WorldLibrary> worlds_;
  cache::TileCache cache_{std::size_t{64} << 20};
  const std::shared_ptr<field::FakeDevice> device_ = std::make_shared<field::FakeDevice>();
  tile::TileService tiles_;
  ManualPlanner planner_;
  SessionCounters counters_;
  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
  std::atomic<int> wakes_ = 0;
  SessionContext context_;
};

}  // namespace thalweg::session
