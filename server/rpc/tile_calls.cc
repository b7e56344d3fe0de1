#include "server/rpc/tile_calls.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/calls/worlds.h"
#include "server/rpc/byte_buffer.h"
#include "server/tile/height_sampling.h"
#include "server/tile/tile_fan_in.h"
#include "server/tile/tile_query.h"
#include "server/tile/tile_service.h"

namespace thalweg::rpc {
namespace {

absl::StatusOr<tile::TileQuery> Parse(absl::StatusOr<world::WorldPointer> found,
                                      const v1::GetTileRequest& request,
                                      const Admission& admission) {
  THALWEG_ASSIGN_OR_RETURN(world::WorldPointer world, std::move(found));
  THALWEG_ASSIGN_OR_RETURN(tile::TileQuery query, tile::ParseTileQuery(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(admission.Bill(query));
  return query;
}

// A call under way. It deletes itself when gRPC is done with it.
class TileCall final : public grpc::ServerUnaryReactor {
 public:
  TileCall(const calls::Engine& engine, AdmissionPointer admission, grpc::ByteBuffer* response)
      : tiles_(engine.tiles), admission_(std::move(admission)), response_(response) {}

  void Start(const calls::Engine& engine, const grpc::ByteBuffer& buffer) {
    v1::GetTileRequest request;
    const absl::Status parsed = ParseRequest(buffer, request);
    if (!parsed.ok()) return Finish(admission_->End(parsed));
    const std::string name = request.world();
    calls::FindWorld(
        engine, admission_->client(), name,
        [this, request = std::move(request)](absl::StatusOr<world::WorldPointer> world) {
          Ask(Parse(std::move(world), request, *admission_));
        });
  }

  // Also called when the deadline has passed.
  void OnCancel() override { tiles_->Cancel(waiter_); }
  void OnDone() override { delete this; }

 private:
  void Ask(absl::StatusOr<tile::TileQuery> query) {
    if (!query.ok()) return OnTile(query.status());
    tiles_->Get(waiter_, *std::move(query),
                [this](absl::StatusOr<tile::TileContents> tile) { OnTile(std::move(tile)); });
  }

  void OnTile(absl::StatusOr<tile::TileContents> tile) {
    if (tile.ok()) {
      tile::TileBytes bytes = (*std::move(tile)).finished().bytes;
      admission_->Sent(bytes->size());
      *response_ = WrapTile(std::move(bytes));
    }
    Finish(admission_->End(tile.status()));
  }

  tile::TileService* const tiles_;
  const AdmissionPointer admission_;
  grpc::ByteBuffer* const response_;
  const tile::TileSource::WaiterPtr waiter_ = std::make_shared<tile::TileWaiter>();
};

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

absl::StatusOr<tile::RectangleQuery> Parse(absl::StatusOr<world::WorldPointer> found,
                                           const v1::StreamTilesRequest& request,
                                           const Admission& admission) {
  THALWEG_ASSIGN_OR_RETURN(world::WorldPointer world, std::move(found));
  THALWEG_ASSIGN_OR_RETURN(tile::RectangleQuery query,
                           tile::ParseRectangleQuery(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(admission.Bill(query.tile_query));
  return query;
}

// A call under way. It owns itself until gRPC is done with it. Tiles are asked for in order, wait
// in ready_ when they come, and are written one at a time.
class TileStream : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                   public std::enable_shared_from_this<TileStream> {
 public:
  TileStream(const calls::Engine& engine, AdmissionPointer admission,
             grpc::CallbackServerContext& context, const EndPatience& patience)
      : admission_(std::move(admission)),
        end_(context, patience),
        tiles_(
            engine.tiles,
            [this](std::size_t, absl::StatusOr<tile::TileContents> tile) {
              return OnTile(std::move(tile));
            },
            [this](const absl::Status& status) { FinishWith(status); }) {}

  void Start(const calls::Engine& engine, const grpc::ByteBuffer& buffer) {
    self_ = shared_from_this();
    v1::StreamTilesRequest request;
    const absl::Status parsed = ParseRequest(buffer, request);
    if (!parsed.ok()) return tiles_.End(parsed);
    const std::string name = request.world();
    calls::FindWorld(
        engine, admission_->client(), name,
        [stream = self_, request = std::move(request)](absl::StatusOr<world::WorldPointer> world) {
          stream->Begin(Parse(std::move(world), request, *stream->admission_));
        });
  }

  void OnWriteDone(bool ok) override {
    {
      const std::lock_guard lock(mutex_);
      writing_ = false;
      // Gives the tile's room back.
      message_.Clear();
    }
    if (!ok) StopWith(absl::CancelledError("stream tiles: the caller has gone"));
    WriteNext();
    tiles_.Release();
  }

  // Also called when the deadline has passed.
  void OnCancel() override { StopWith(absl::CancelledError("stream tiles: cancelled")); }

  void OnDone() override {
    end_.Done();
    self_.reset();
  }

 private:
  void Begin(absl::StatusOr<tile::RectangleQuery> query) {
    if (!query.ok()) return tiles_.End(query.status());
    {
      const std::lock_guard lock(mutex_);
      // The call may have been cancelled meanwhile.
      if (stopped_) return;
    }
    revoked_ = admission_->caller().revocation().OnRevoke(
        [stream = weak_from_this()](const absl::Status& why) {
          if (const auto held = stream.lock()) held->StopWith(why);
        });
    const std::size_t count = query->rectangle.size();
    tiles_.AskAll(
        count,
        [query = *std::move(query)](std::size_t n) {
          tile::TileQuery nth = query.tile_query;
          nth.key = query.rectangle.TileAt(n);
          return nth;
        },
        kStreamWindowTiles);
  }

  absl::Status OnTile(absl::StatusOr<tile::TileContents> tile) {
    if (!tile.ok()) {
      tiles_.End(tile.status());
      // A caller that has reached a limit gets the tiles under way before the error: they are paid
      // for.
      const bool limited = wire::RetryDelayOf(tile.status()).has_value();
      return limited ? absl::OkStatus() : tile.status();
    }
    {
      const std::lock_guard lock(mutex_);
      if (!stopped_) ready_.push_back((*std::move(tile)).finished().bytes);
    }
    WriteNext();
    return absl::OkStatus();
  }

  // Finishes when all ready tiles are written.
  void FinishWith(const absl::Status& status) {
    {
      const std::lock_guard lock(mutex_);
      ended_ = status;
    }
    WriteNext();
  }

  // Writes the next ready tile, or finishes the call, unless a write is under way.
  void WriteNext() {
    bool finish = false;
    {
      const std::lock_guard lock(mutex_);
      finish = ready_.empty();
      if (writing_ || (finish && !ended_)) return;
      writing_ = true;
      if (!finish) {
        admission_->Sent(ready_.front()->size());
        message_ = WrapTile(std::move(ready_.front()));
        ready_.pop_front();
      }
    }
    if (finish) {
      Finish(admission_->End(*ended_));
    } else {
      StartWrite(&message_);
    }
  }

  // Drops the tiles that are left. Finishes when no write is under way, or after the patience. The
  // first status counts.
  void StopWith(const absl::Status& status) {
    bool writing = false;
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      writing = writing_;
      ready_.clear();
    }
    if (writing) end_.CancelLater();
    tiles_.Stop(status);
    tiles_.End();
  }

  const AdmissionPointer admission_;
  CallEnd end_;
  access::Revocation::Watch revoked_;

  std::mutex mutex_;
  std::deque<tile::TileBytes> ready_;
  bool stopped_ = false;
  std::optional<absl::Status> ended_;  // no tile comes any more
  bool writing_ = false;               // or finished
  grpc::ByteBuffer message_;           // for the write under way

  tile::TileFanIn tiles_;
  std::shared_ptr<TileStream> self_;
};

}  // namespace

grpc::ServerUnaryReactor* HandleGetTile(const calls::Engine& engine, AdmissionPointer admission,
                                        const grpc::ByteBuffer& request,
                                        grpc::ByteBuffer* response) {
  auto* const call = new TileCall(engine, std::move(admission), response);
  call->Start(engine, request);
  return call;
}

grpc::ServerUnaryReactor* HandleSampleHeights(const calls::Engine& engine,
                                              AdmissionPointer admission,
                                              const v1::SampleHeightsRequest& request,
                                              v1::SampleHeightsResponse* response) {
  auto* const call = new SampleCall(engine, std::move(admission), response);
  call->Start(engine, request);
  return call;
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* HandleStreamTiles(const calls::Engine& engine,
                                                              AdmissionPointer admission,
                                                              grpc::CallbackServerContext& context,
                                                              const EndPatience& patience,
                                                              const grpc::ByteBuffer& request) {
  const auto stream = std::make_shared<TileStream>(engine, std::move(admission), context, patience);
  stream->Start(engine, request);
  return stream.get();
}

}  // namespace thalweg::rpc
