#include "server/tile/height_sampling.h"

#include <span>
#include <utility>

#include "proto/wire/status_macros.h"

namespace thalweg::tile {

std::shared_ptr<HeightSampling> HeightSampling::Make(BoundedTiles& tiles, std::uint64_t client,
                                                     HeightSamples samples, Done done) {
  return std::shared_ptr<HeightSampling>(
      new HeightSampling(tiles, client, std::move(samples), std::move(done)));
}

void HeightSampling::Start() {
  self_ = shared_from_this();
  AskAhead();
  Leave(absl::OkStatus());
}

HeightSampling::HeightSampling(BoundedTiles& tiles, std::uint64_t client, HeightSamples samples,
                               Done done)
    : bounded_(tiles),
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

// One tile is always under way, so that the question goes on when that one was sampled.
void HeightSampling::AskAhead() {
  for (;;) {
    std::size_t n = 0;
    {
      const std::lock_guard lock(mutex_);
      if (asked_ == samples_.tile_count()) break;
      if (asked_ > sampled_ && !bounded_.MayAskAhead(samples_.QueryOf(asked_))) return;
      n = asked_++;
    }
    tiles_.Ask(n, samples_.QueryOf(n));
  }
  tiles_.End();
}

// Decoding a tile takes up to a few milliseconds, so it waits for the caller's turn on a worker.
absl::Status HeightSampling::Take(std::size_t n, absl::StatusOr<TileContents> contents) {
  if (!contents.ok()) {
    tiles_.End(contents.status());
    return contents.status();
  }
  left_.fetch_add(1);
  bounded_.tiles().workers().Post(
      client_, "sample heights",
      [this, n, contents = *std::move(contents)]() mutable {
        absl::Status sampled = Sample(n, contents);
        // Gives the tile's room back before more tiles are asked for.
        contents = TileContents(cache::TileBytes());
        return sampled;
      },
      [this](const absl::Status& status) {
        if (!status.ok()) Stop(status);
        {
          const std::lock_guard lock(mutex_);
          ++sampled_;
        }
        AskAhead();
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
