#include "server/rpc/sample_heights.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "proto/wire/status_macros.h"
#include "server/calls/find_world.h"
#include "server/tile/height_sampling.h"

namespace thalweg::rpc {
namespace {

using tile::HeightSamples;
using tile::HeightSampling;

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
      : admission_(std::move(admission)), response_(response), tiles_(*engine.tiles) {}

  // The request must live until the call is finished.
  void Start(const calls::Engine& engine, const v1::SampleHeightsRequest& request) {
    calls::FindWorld(engine, admission_->client(), request.world(),
                     [this, &request](absl::StatusOr<world::WorldPointer> world) {
                       Begin(Parse(std::move(world), request, *admission_));
                     });
  }

  // Also called when the deadline has passed.
  void OnCancel() override {
    std::shared_ptr<HeightSampling> sampling;
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      sampling = sampling_.lock();
    }
    if (sampling != nullptr) sampling->Stop(Cancelled());
  }
  void OnDone() override { delete this; }

 private:
  static absl::Status Cancelled() { return absl::CancelledError("sample heights: cancelled"); }

  void Begin(absl::StatusOr<HeightSamples> samples) {
    if (!samples.ok()) return End(samples.status());
    const std::shared_ptr<HeightSampling> sampling = HeightSampling::Make(
        tiles_, admission_->client(), *std::move(samples),
        [this](absl::StatusOr<std::vector<std::int32_t>> heights) { End(std::move(heights)); });
    bool cancelled = false;
    {
      const std::lock_guard lock(mutex_);
      sampling_ = sampling;
      cancelled = cancelled_;
    }
    // After Start this call may be gone.
    if (cancelled) sampling->Stop(Cancelled());
    sampling->Start();
  }

  void End(absl::StatusOr<std::vector<std::int32_t>> heights) {
    if (heights.ok()) {
      response_->mutable_heights()->Add(heights->begin(), heights->end());
      admission_->Sent(response_->ByteSizeLong());
    }
    Finish(admission_->End(heights.status()));
  }

  const AdmissionPointer admission_;
  v1::SampleHeightsResponse* const response_;
  tile::TileService& tiles_;
  std::mutex mutex_;
  std::weak_ptr<HeightSampling> sampling_;
  bool cancelled_ = false;
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
