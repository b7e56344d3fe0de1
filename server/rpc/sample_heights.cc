#include "server/rpc/sample_heights.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "proto/wire/status_macros.h"
#include "server/calls/background.h"
#include "server/tile/height_samples.h"

namespace thalweg::rpc {
namespace {

using tile::HeightSamples;
using tile::TileService;

absl::StatusOr<HeightSamples> Parse(absl::StatusOr<world::WorldPointer> found,
                                    const v1::SampleHeightsRequest& request,
                                    const Admission& admission) {
  THALWEG_ASSIGN_OR_RETURN(world::WorldPointer world, std::move(found));
  THALWEG_ASSIGN_OR_RETURN(HeightSamples samples, HeightSamples::Parse(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(Bill(admission, samples.form()));
  return samples;
}

// A call under way. Kept by itself until gRPC is done with it, and by its tiles' callbacks.
class SampleCall : public grpc::ServerUnaryReactor,
                   public std::enable_shared_from_this<SampleCall> {
 public:
  SampleCall(const calls::Engine& engine, Admission admission, v1::SampleHeightsResponse* response)
      : tiles_(engine.tiles), admission_(std::move(admission)), response_(response) {}

  // The request is there until the call is finished.
  void Start(const calls::Engine& engine, const v1::SampleHeightsRequest& request) {
    self_ = shared_from_this();
    calls::FindWorld(engine, request.world(),
                     [call = self_, &request](absl::StatusOr<world::WorldPointer> world) {
                       call->Begin(Parse(std::move(world), request, call->admission_));
                     });
  }

  // Also when the deadline has passed.
  void OnCancel() override { CancelTiles(); }
  void OnDone() override { self_.reset(); }

 private:
  void Begin(absl::StatusOr<HeightSamples> samples) {
    if (!samples.ok()) return Finish(admission_.record->End(samples.status()));
    samples_.emplace(*std::move(samples));
    response_->mutable_heights()->Resize(static_cast<int>(samples_->point_count()), 0);
    // One more than there are tiles, so that the call can't end while it asks.
    left_ = samples_->tile_count() + 1;
    for (std::size_t n = 0; n < samples_->tile_count(); ++n) {
      const auto ticket = tiles_->GetContents(
          samples_->QueryOf(n),
          [call = self_, n](const absl::StatusOr<tile::TileContents>& contents) {
            call->Receive(n, contents);
          });
      bool unwanted = false;
      {
        const std::lock_guard lock(mutex_);
        tickets_.push_back(ticket);
        unwanted = cancelled_;
      }
      if (unwanted) CancelTiles();
    }
    Leave(absl::OkStatus());
  }

  void Receive(std::size_t n, const absl::StatusOr<tile::TileContents>& contents) {
    auto* heights = response_->mutable_heights();
    Leave(contents.ok() ? samples_->Sample(n, *contents,
                                           std::span(heights->mutable_data(),
                                                     static_cast<std::size_t>(heights->size())))
                        : contents.status());
  }

  // A tile is done, well or not; the last one ends the call. The first error counts.
  void Leave(const absl::Status& status) {
    bool failed = false;
    bool last = false;
    {
      const std::lock_guard lock(mutex_);
      failed = status_.ok() && !status.ok();
      status_.Update(status);
      last = --left_ == 0;
    }
    if (failed) CancelTiles();
    if (!last) return;
    if (status_.ok()) admission_.record->Sent(response_->ByteSizeLong());
    Finish(admission_.record->End(status_));
  }

  void CancelTiles() {
    std::vector<TileService::Ticket> tickets;
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      tickets.swap(tickets_);
    }
    for (const TileService::Ticket ticket : tickets) tiles_->Cancel(ticket);
  }

  TileService* const tiles_;
  const Admission admission_;
  v1::SampleHeightsResponse* const response_;
  std::optional<HeightSamples> samples_;

  std::mutex mutex_;
  std::size_t left_ = 0;
  absl::Status status_;
  // Those that may still be cancelled.
  std::vector<TileService::Ticket> tickets_;
  bool cancelled_ = false;

  std::shared_ptr<SampleCall> self_;
};

}  // namespace

grpc::ServerUnaryReactor* HandleSampleHeights(const calls::Engine& engine, Admission admission,
                                              const v1::SampleHeightsRequest& request,
                                              v1::SampleHeightsResponse* response) {
  const auto call = std::make_shared<SampleCall>(engine, std::move(admission), response);
  call->Start(engine, request);
  return call.get();
}

}  // namespace thalweg::rpc
