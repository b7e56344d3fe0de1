#include "server/rpc/sample_heights.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "proto/wire/status_macros.h"
#include "server/tile/height_samples.h"

namespace thalweg::rpc {
namespace {

using tile::HeightSamples;
using tile::TileService;

absl::StatusOr<HeightSamples> Parse(const calls::Engine& engine, const Admission& admission,
                                    const v1::SampleHeightsRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(auto world, engine.worlds->Find(request.world()));
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

  void Start(absl::StatusOr<HeightSamples> samples) {
    self_ = shared_from_this();
    if (!samples.ok()) return Finish(admission_.record->End(samples.status()));
    samples_.emplace(*std::move(samples));
    response_->mutable_heights()->Resize(static_cast<int>(samples_->point_count()), 0);
    // One more than there are tiles, so that the call can't end while it asks.
    left_ = samples_->tile_count() + 1;
    for (std::size_t n = 0; n < samples_->tile_count(); ++n) {
      const auto ticket = tiles_->Get(
          samples_->QueryOf(n), [call = self_, n](const absl::StatusOr<cache::TileBytes>& bytes) {
            call->Receive(n, bytes);
          });
      const std::lock_guard lock(mutex_);
      tickets_.push_back(ticket);
    }
    Leave(absl::OkStatus());
  }

  // Also when the deadline has passed.
  void OnCancel() override { CancelTiles(); }
  void OnDone() override { self_.reset(); }

 private:
  void Receive(std::size_t n, const absl::StatusOr<cache::TileBytes>& bytes) {
    auto* heights = response_->mutable_heights();
    Leave(bytes.ok() ? samples_->Sample(n, *bytes,
                                        std::span(heights->mutable_data(),
                                                  static_cast<std::size_t>(heights->size())))
                     : bytes.status());
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
  std::vector<TileService::Ticket> tickets_;

  std::shared_ptr<SampleCall> self_;
};

}  // namespace

grpc::ServerUnaryReactor* HandleSampleHeights(const calls::Engine& engine, Admission admission,
                                              const v1::SampleHeightsRequest& request,
                                              v1::SampleHeightsResponse* response) {
  absl::StatusOr<HeightSamples> samples = Parse(engine, admission, request);
  const auto call = std::make_shared<SampleCall>(engine, std::move(admission), response);
  call->Start(std::move(samples));
  return call.get();
}

}  // namespace thalweg::rpc
