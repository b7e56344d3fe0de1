#include "server/rpc/stream_tiles.h"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/calls/background.h"
#include "server/rpc/byte_buffer.h"
#include "server/tile/tile_rectangle.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::rpc {
namespace {

using tile::TileService;

absl::StatusOr<tile::RectangleQuery> Parse(absl::StatusOr<world::WorldPointer> found,
                                           const v1::StreamTilesRequest& request,
                                           const Admission& admission) {
  THALWEG_ASSIGN_OR_RETURN(world::WorldPointer world, std::move(found));
  THALWEG_ASSIGN_OR_RETURN(tile::RectangleQuery query,
                           tile::ParseRectangleQuery(std::move(world), request));
  THALWEG_RETURN_IF_ERROR(Bill(admission, query.form));
  return query;
}

// A call under way. Kept by itself until gRPC is done with it, and by its tiles' callbacks. Tiles
// are asked for in order, wait in ready_ when they come, and are written one at a time. A caller
// who has used up a limit gets what is under way before the error: it is paid for.
class TileStream : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                   public std::enable_shared_from_this<TileStream> {
 public:
  TileStream(const calls::Engine& engine, Admission admission)
      : tiles_(engine.tiles), admission_(std::move(admission)) {}

  void Start(const calls::Engine& engine, const grpc::ByteBuffer& buffer) {
    self_ = shared_from_this();
    v1::StreamTilesRequest request;
    const absl::Status parsed = ParseRequest(buffer, request);
    if (!parsed.ok()) return StopWith(parsed);
    const std::string name = request.world();
    calls::FindWorld(
        engine, name,
        [stream = self_, request = std::move(request)](absl::StatusOr<world::WorldPointer> world) {
          stream->Begin(Parse(std::move(world), request, stream->admission_));
        });
  }

  void OnWriteDone(bool ok) override {
    {
      const std::lock_guard lock(mutex_);
      writing_ = false;
      ++written_;
    }
    if (!ok) return StopWith(absl::CancelledError("stream tiles: the caller has gone"));
    WriteNext();
    AskAhead();
  }

  // Also when the deadline has passed.
  void OnCancel() override { StopWith(absl::CancelledError("stream tiles: cancelled")); }

  void OnDone() override { self_.reset(); }

 private:
  void Begin(absl::StatusOr<tile::RectangleQuery> query) {
    if (!query.ok()) return StopWith(query.status());
    {
      const std::lock_guard lock(mutex_);
      // It may have been cancelled meanwhile.
      if (!status_.ok()) return;
      query_.emplace(*std::move(query));
    }
    revoked_ = admission_.caller->revocation().OnRevoke(
        [stream = weak_from_this()](const absl::Status& why) {
          if (const auto held = stream.lock()) held->StopWith(why);
        });
    AskAhead();
  }

  // Asks for tiles until the window is full.
  void AskAhead() {
    std::unique_lock lock(mutex_);
    while (status_.ok() && limit_.ok() && asked_ < query_->rectangle.size() &&
           asked_ < written_ + kStreamWindowTiles) {
      const std::size_t n = asked_++;
      waiting_.emplace(n, TileService::kAnswered);
      lock.unlock();
      Ask(n);
      lock.lock();
    }
  }

  void Ask(std::size_t n) {
    tile::TileQuery query = query_->form;
    query.key = query_->rectangle.TileAt(n);
    const TileService::Ticket ticket = tiles_->Get(
        query, [stream = shared_from_this(), n](absl::StatusOr<cache::FinishedTile> tile) {
          stream->Receive(n, std::move(tile));
        });
    bool unwanted = false;
    {
      const std::lock_guard lock(mutex_);
      const auto place = waiting_.find(n);
      if (place != waiting_.end()) place->second = ticket;
      unwanted = !status_.ok();
    }
    if (unwanted) tiles_->Cancel(ticket);
  }

  void Receive(std::size_t n, absl::StatusOr<cache::FinishedTile> tile) {
    const absl::Status status = tile.status();
    const bool limited = wire::RetryDelayOf(status).has_value();
    {
      const std::lock_guard lock(mutex_);
      waiting_.erase(n);
      if (limited) limit_ = status;
      if (status.ok()) ready_.push_back(std::move(tile->bytes));
    }
    if (!status.ok() && !limited) return StopWith(status);
    WriteNext();
  }

  // Writes the next tile that is ready, or finishes, unless a write is under way.
  void WriteNext() {
    bool finish = false;
    {
      const std::lock_guard lock(mutex_);
      if (writing_ || finished_) return;
      if (!limit_.ok() && status_.ok() && waiting_.empty() && ready_.empty()) status_ = limit_;
      finish = !status_.ok() || written_ == query_->rectangle.size();
      finished_ = finish;
      if (!finish) {
        if (ready_.empty()) return;
        admission_.record->Sent(ready_.front()->size());
        message_ = WrapTile(std::move(ready_.front()));
        ready_.pop_front();
        writing_ = true;
      }
    }
    if (finish) {
      Finish(admission_.record->End(status_));
    } else {
      StartWrite(&message_);
    }
  }

  // Drops what is left and finishes as soon as no write is under way. The first reason counts.
  void StopWith(const absl::Status& status) {
    std::vector<TileService::Ticket> unwanted;
    {
      const std::lock_guard lock(mutex_);
      if (status_.ok() && !finished_) {
        status_ = status;
        for (const auto& [n, ticket] : waiting_) unwanted.push_back(ticket);
        ready_.clear();
      }
    }
    for (const TileService::Ticket ticket : unwanted) tiles_->Cancel(ticket);
    WriteNext();
  }

  TileService* const tiles_;
  const Admission admission_;
  access::Revocation::Watch revoked_;

  std::mutex mutex_;
  std::optional<tile::RectangleQuery> query_;  // does not change once it is there
  std::size_t asked_ = 0;
  std::size_t written_ = 0;
  std::map<std::size_t, TileService::Ticket> waiting_;  // by number in the rectangle
  std::deque<cache::TileBytes> ready_;
  absl::Status status_;  // does not change once finished_
  absl::Status limit_;   // why nothing more is asked for
  bool writing_ = false;
  bool finished_ = false;
  grpc::ByteBuffer message_;  // the write's under way

  std::shared_ptr<TileStream> self_;
};

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* HandleStreamTiles(const calls::Engine& engine,
                                                              Admission admission,
                                                              const grpc::ByteBuffer& request) {
  const auto stream = std::make_shared<TileStream>(engine, std::move(admission));
  stream->Start(engine, request);
  return stream.get();
}

}  // namespace thalweg::rpc
