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
#include "tests/sharing/manual_timer.h"

namespace thalweg::session {

// A tile that does not exist. The session reports its failure at once, whatever else waits.
inline constexpr wire::TileKey kNoTile{.level = 99};

// This many tiles of level 0, in one row.
std::vector<wire::TileKey> RowOf(std::int64_t count, std::int64_t first = 0);

v1::SessionRequest WantOf(const std::vector<wire::TileKey>& keys,
                          v1::Priority priority = v1::PRIORITY_INTERACTIVE);
// The same in as many messages as it takes.
std::vector<v1::SessionRequest> WantsOf(const std::vector<wire::TileKey>& keys,
                                        v1::Priority priority = v1::PRIORITY_INTERACTIVE);
v1::SessionRequest CancelOfAll();
v1::SessionRequest CreditOf(std::uint32_t tiles, std::uint64_t bytes = std::uint64_t{1} << 40);
// A message with the camera of SampleView.
v1::SessionRequest ViewOf(std::uint64_t id, double east_m = 0);

class SessionFixture : public testing::Test {
 protected:
  SessionFixture();
  explicit SessionFixture(std::shared_ptr<const world::World> world);
  ~SessionFixture() override;

  // Opens a session of the world and takes the response `opened`.
  std::shared_ptr<Session> Open();
  // Opens a session of a caller whose budget is used up.
  std::shared_ptr<Session> OpenWithoutBudget();

  // Gives the session a message, as a call does.
  static absl::Status Send(Session& session, const v1::SessionRequest& request);
  // Gives the session messages until the first error.
  static absl::Status Send(Session& session, const std::vector<v1::SessionRequest>& requests);
  // Takes all that the session can write now, as a call does. `idle` becomes whether the last turn
  // was idle.
  static std::vector<v1::SessionResponse> Take(Session& session, bool* idle = nullptr);
  // Takes responses until this many tiles have come. Runs plans, and waits for tiles under way.
  std::vector<v1::Tile> AwaitTiles(Session& session, std::size_t count);
  // Waits until the session has woken its call more than `count` times.
  void AwaitWake(int count) const;
  // A message that the client has these tiles, with this geometric error.
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
  sharing::ManualTimer timer_;
  sharing::Room plenty_{std::size_t{1} << 40};
  SessionCounters counters_;
  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
  std::atomic<int> wakes_ = 0;
  SessionContext context_;
};

}  // namespace thalweg::session
