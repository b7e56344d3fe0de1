// Heights at many points: a question whose tiles come one by one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "server/tile/height_samples.h"
#include "server/tile/tile_fan_in.h"
#include "server/tile/tile_service.h"

namespace thalweg::tile {

// Thread-safe. It lives until its answer was given.
class HeightSampling : public std::enable_shared_from_this<HeightSampling> {
 public:
  // Gets the height of each point, in 1/65,536 m, or the first error.
  using Done = absl::AnyInvocable<void(absl::StatusOr<std::vector<std::int32_t>>) &&>;

  // `client`: whose turn it is on the workers.
  static std::shared_ptr<HeightSampling> Make(TileService& tiles, std::uint64_t client,
                                              HeightSamples samples, Done done);

  // Asks for the tiles; once. `done` is called once, by any thread, perhaps before this returns.
  void Start();

  // Drops the tiles that are left; before Start, all of them. `why` is the error if there is none
  // yet.
  void Stop(const absl::Status& why);

 private:
  HeightSampling(TileService& tiles, std::uint64_t client, HeightSamples samples, Done done);

  absl::Status Take(std::size_t n, absl::StatusOr<TileContents> contents);
  absl::Status Sample(std::size_t n, const TileContents& contents);
  void Leave(const absl::Status& status);

  sharing::WorkerPool& workers_;
  const std::uint64_t client_;
  const HeightSamples samples_;
  Done done_;
  std::vector<std::int32_t> heights_;
  // The sampling holds itself until it has answered.
  std::shared_ptr<HeightSampling> self_;
  TileFanIn tiles_;
  // The tiles that wait to be sampled, one until no more can come, and one while the first ones are
  // asked for.
  std::atomic<std::size_t> left_ = 2;
  std::mutex mutex_;
  absl::Status outcome_;
};

}  // namespace thalweg::tile
