#include "server/rpc/sample_heights.h"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "proto/wire/status_macros.h"
#include "server/calls/find_world.h"
#include "server/tile/height_samples.h"
#include "server/tile/tile_fan_in.h"

namespace thalweg::rpc {
namespace {

using tile::HeightSamples;

absl::StatusOr<HeightSamples> Parse(absl::StatusOr<world::WorldPointer> found,
                                    const v1::SampleHeightsRequest& request,
                                    const Admission& admission) {
  THALWEG_ASSIGN_OR_RETURN(world::WorldPointer world, std::move(found));
  THALWEG_ASSIGN_OR_RETURN(HeightSamples samples, HeightSamples::Parse(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(admission.Bill(samples.tile_query()));
  return samples;
}

// A call under way. It deletes itself when gRPC is done with it.
class SampleCall final : public grpc::ServerUnaryReactor {
 public:
  SampleCall(const calls::Engine& engine, AdmissionPointer admission,
             v1::SampleHeightsResponse* response)
      : admission_(std::move(admission)),
        response_(response),
        bounded_(*engine.tiles),
        tiles_(
            engine.tiles,
            [this](std::size_t n, absl::StatusOr<tile::TileContents> contents) {
              return Take(n, std::move(contents));
            },
            [this](const absl::Status& status) { Leave(status); }) {}

  // The request must live until the call is finished.
  void Start(const calls::Engine& engine, const v1::SampleHeightsRequest& request) {
    calls::FindWorld(engine, admission_->client(), request.world(),
                     [this, &request](absl::StatusOr<world::WorldPointer> world) {
                       Begin(Parse(std::move(world), request, *admission_));
                     });
  }

  // Also called when the deadline has passed.
  void OnCancel() override { StopWith(absl::CancelledError("sample heights: cancelled")); }
  void OnDone() override { delete this; }

 private:
  void Begin(absl::StatusOr<HeightSamples> samples) {
    if (!samples.ok()) return tiles_.End(samples.status());
    samples_.emplace(*std::move(samples));
    response_->mutable_heights()->Resize(static_cast<int>(samples_->point_count()), 0);
    left_.fetch_add(1);
    AskAhead();
    Leave(absl::OkStatus());
  }

  // Asks for tiles while the caller has room for more. One tile is always under way, so that the
  // call goes on when that one was sampled.
  void AskAhead() {
    for (;;) {
      std::size_t n = 0;
      {
        const std::lock_guard lock(mutex_);
        if (asked_ == samples_->tile_count()) break;
        if (asked_ > sampled_ && !bounded_.MayAskAhead(samples_->QueryOf(asked_))) return;
        n = asked_++;
      }
      tiles_.Ask(n, samples_->QueryOf(n));
    }
    tiles_.End();
  }

  // Decoding a tile takes up to a few milliseconds, so it waits for the caller's turn on a worker.
  absl::Status Take(std::size_t n, absl::StatusOr<tile::TileContents> contents) {
    if (!contents.ok()) {
      tiles_.End(contents.status());
      return contents.status();
    }
    left_.fetch_add(1);
    bounded_.tiles().workers().Post(
        admission_->client(), "sample heights",
        [this, n, contents = *std::move(contents)]() mutable {
          absl::Status sampled = Sample(n, contents);
          // Gives the tile's room back before more tiles are asked for.
          contents = tile::TileContents(cache::TileBytes());
          return sampled;
        },
        [this](const absl::Status& status) {
          if (!status.ok()) StopWith(status);
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
  absl::Status Sample(std::size_t n, const tile::TileContents& contents) {
    THALWEG_RETURN_IF_ERROR(tiles_.status());
    auto& heights = *response_->mutable_heights();
    return samples_->Sample(
        n, contents, std::span(heights.mutable_data(), static_cast<std::size_t>(heights.size())));
  }

  // Drops the tiles that are left. The first status counts.
  void StopWith(const absl::Status& status) {
    tiles_.Stop(status);
    tiles_.End();
  }

  // The last one to leave answers.
  void Leave(const absl::Status& status) {
    {
      const std::lock_guard lock(mutex_);
      outcome_.Update(status);
    }
    if (left_.fetch_sub(1) > 1) return;
    if (outcome_.ok()) admission_->Sent(response_->ByteSizeLong());
    Finish(admission_->End(outcome_));
  }

  const AdmissionPointer admission_;
  v1::SampleHeightsResponse* const response_;
  std::optional<HeightSamples> samples_;
  tile::BoundedTiles& bounded_;
  tile::TileFanIn<tile::TileContents, tile::BoundedTiles> tiles_;
  // The tiles that wait to be sampled, one until no more can come, and one while the first ones are
  // asked for.
  std::atomic<std::size_t> left_ = 1;
  std::mutex mutex_;
  std::size_t asked_ = 0;
  std::size_t sampled_ = 0;
  absl::Status outcome_;
};

}  // namespace

grpc::ServerUnaryReactor* HandleSampleHeights(const calls::Engine& engine,
                                              AdmissionPointer admission,
                                              const v1::SampleHeightsRequest& request,
                                              v1::SampleHeightsResponse* response) {
  auto* const call = new SampleCall(engine, std::move(admission), response);
  call->Start(engine, request);
  return call;
}

}  // namespace thalweg::rpc
