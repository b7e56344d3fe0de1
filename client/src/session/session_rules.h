// Which responses a server may send in a session, given the client's messages.
#pragma once

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "proto/lod/grid.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// Tiles must be within the credit. Tiles, failures and unchanged tiles must lie on ground that a
// view reaches, or have been asked for by name; on a planet a view reaches all. Only a view that
// was sent can settle. The memory used does not depend on the server. Not thread-safe.
class SessionRules {
 public:
  // A session of a world begins.
  void Begin(const lod::Grid& grid);

  // The client sends this message.
  void Sent(const v1::SessionRequest& request);

  // Checks a response after `opened`. INTERNAL, "invalid X: expected Y, got Z", if it is not
  // allowed.
  absl::Status Take(const v1::SessionResponse& response);

  // Returns how many tiles were asked for by name and are not answered yet.
  std::size_t wanted() const { return wanted_.size(); }

 private:
  // In metres; empty by default.
  struct Square {
    double west = 1;
    double north = 1;
    double east = 0;
    double south = 0;
    bool empty() const { return west > east; }
    void Add(const Square& other);
  };

  void SentView(const v1::View& view);
  absl::Status TakeTile(const v1::Tile& tile);
  absl::Status TakeSettled(const v1::ViewSettled& settled);
  // Whether a view of a planet was sent.
  bool ReachesPlanet() const;
  absl::Status CheckAskedFor(const v1::TileKey& message);

  lod::Grid grid_;
  std::int64_t credit_tiles_ = 0;
  std::int64_t credit_bytes_ = 0;
  std::uint64_t last_view_ = 0;
  // The ground that views reach. It includes all views since the last but one settled view, because
  // tiles for them may be on their way.
  Square reached_;
  Square reached_before_;
  Square last_reached_;
  absl::flat_hash_set<wire::TileKey> wanted_;
};

}  // namespace thalweg
