#include "server/tile/height_sampling.h"

#include <span>
#include <utility>

#include "proto/wire/status_macros.h"

namespace thalweg::tile {

std::shared_ptr<HeightSampling> HeightSampling::Make(TileService& tiles, std::uint64_t client,
                                                     HeightSamples samples, Done done) {
  return std::shared_ptr<HeightSampling>(
      new HeightSampling(tiles, client, std::move(samples), std::move(done)));
}

void HeightSampling::Start() {
  self_ = shared_from_this();
  tiles_.AskAll(samples_.tile_count(), [this](std::size_t n) { return samples_.QueryOf(n); });
  Leave(absl::OkStatus());
}

HeightSampling::HeightSampling(TileService& tiles, std::uint64_t client, HeightSamples samples,
                               Done done)
    : workers_(tiles.workers()),
      client_(client),
      samples_(std::move(samples)),
      done_(std::move(done)),
      heights_(samples_.point_count(), 0),
      tiles_(
          &tiles,
          [this](std::size_t n, absl::StatusOr<TileContents> contents) {
            return Take(n, std::move(contents));
          },
          [this](const absl::Status& status) { Leave(status); }) {}

void HeightSampling::Stop(const absl::Status& why) {
  tiles_.Stop(why);
  tiles_.End();
}

// Decoding a tile takes up to a few milliseconds, so it waits for the caller's turn on a worker.
absl::Status HeightSampling::Take(std::size_t n, absl::StatusOr<TileContents> contents) {
  if (!contents.ok()) return contents.status();
  left_.fetch_add(1);
  workers_.Post(
      client_, "sample heights",
      [this, n, contents = *std::move(contents)]() mutable {
        absl::Status sampled = Sample(n, contents);
        // Gives the tile's room back before more tiles are asked for.
        contents = TileContents();
        return sampled;
      },
      [this](const absl::Status& status) {
        if (!status.ok()) Stop(status);
        tiles_.Release();
        Leave(tiles_.status());
      });
  return absl::OkStatus();
}

// Called concurrently: different tiles write different points.
absl::Status HeightSampling::Sample(std::size_t n, const TileContents& contents) {
  THALWEG_RETURN_IF_ERROR(tiles_.status());
  return samples_.Sample(n, contents, heights_);
}

// The last one to leave answers.
void HeightSampling::Leave(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    outcome_.Update(status);
  }
  if (left_.fetch_sub(1) > 1) return;
  const std::shared_ptr<HeightSampling> self = std::move(self_);
  if (!outcome_.ok()) return std::move(done_)(outcome_);
  std::move(done_)(std::move(heights_));
}

}  // namespace thalweg::tile
