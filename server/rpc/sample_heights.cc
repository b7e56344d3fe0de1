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
        tiles_(
            engine.tiles,
            [this](std::size_t n, absl::StatusOr<tile::TileContents> contents) {
              return Take(n, std::move(contents));
            },
            [this](const absl::Status& status) { Leave(status); }),
        workers_(engine.tiles->workers()) {}

  // The request must live until the call is finished.
  void Start(const calls::Engine& engine, const v1::SampleHeightsRequest& request) {
    calls::FindWorld(engine, admission_->client(), request.world(),
                     [this, &request](absl::StatusOr<world::WorldPointer> world) {
                       Begin(Parse(std::move(world), request, *admission_));
                     });
  }

  // Also called when the deadline has passed.
  void OnCancel() override { tiles_.Stop(absl::CancelledError("sample heights: cancelled")); }
  void OnDone() override { delete this; }

 private:
  void Begin(absl::StatusOr<HeightSamples> samples) {
    if (!samples.ok()) return tiles_.End(samples.status());
    samples_.emplace(*std::move(samples));
    response_->mutable_heights()->Resize(static_cast<int>(samples_->point_count()), 0);
    for (std::size_t n = 0; n < samples_->tile_count(); ++n) tiles_.Ask(n, samples_->QueryOf(n));
    tiles_.End();
  }

  // Decoding a tile takes up to a few milliseconds, so it waits for the caller's turn on a worker.
  absl::Status Take(std::size_t n, absl::StatusOr<tile::TileContents> contents) {
    if (!contents.ok()) return contents.status();
    left_.fetch_add(1);
    workers_.Post(
        admission_->client(), "sample heights",
        [this, n, contents = *std::move(contents)] { return Sample(n, contents); },
        [this](const absl::Status& status) {
          if (!status.ok()) tiles_.Stop(status);
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
  tile::TileFanIn<tile::TileContents> tiles_;
  tile::WorkerPool& workers_;
  // The tiles that wait to be sampled, and one until no more can come.
  std::atomic<std::size_t> left_ = 1;
  std::mutex mutex_;
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
