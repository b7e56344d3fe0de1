#include "server/rpc/session_call.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "server/calls/worlds.h"
#include "server/rpc/byte_buffer.h"
#include "server/session/session.h"

namespace thalweg::rpc {
namespace {

// The cost of a message, in units of the smallest one: by its bytes and by the tiles that it names.
double CostOf(const v1::SessionRequest& request, std::size_t bytes) {
  constexpr double kUnitBytes = 256;
  constexpr double kUnitTiles = 16;
  const int tiles = request.want().keys_size() + request.cancel().keys_size() +
                    request.have().tiles_size() + request.drop().keys_size();
  return 1 + static_cast<double>(bytes) / kUnitBytes + tiles / kUnitTiles;
}

// A call under way: it passes messages to its session, and writes the session's responses, one at a
// time. It owns itself until gRPC is done with it; the session's wake holds it only while it runs.
class SessionCall : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                    public std::enable_shared_from_this<SessionCall> {
 public:
  SessionCall(const calls::Engine& engine, AdmissionPointer admission,
              grpc::CallbackServerContext& context, const EndPatience& patience)
      : engine_(engine), admission_(std::move(admission)), end_(context, patience) {}

  void Start(const SessionParts& parts) {
    self_ = shared_from_this();
    timer_ = parts.timer;
    session_ = std::make_shared<session::Session>(
        session::SessionContext{
            .worlds = engine_.worlds,
            .tiles = engine_.tiles,
            .timer = parts.timer,
            .room = parts.room,
            .caller = admission_->client(),
            .bill = [this](tile::TileQuery& query) { return admission_->Bill(query); },
            .counters = engine_.sessions},
        [call = weak_from_this()] {
          if (const auto held = call.lock()) held->Write();
        });
    // A session does not end by itself.
    const auto stop = [call = weak_from_this()](const absl::Status& why) {
      if (const auto held = call.lock()) held->StopWith(why);
    };
    admission_->OnClose(stop);
    revoked_ = admission_->caller().revocation().OnRevoke(stop);
    StartRead(&request_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      // The client half-closed. It still gets what it asked for and has credit for.
      EndRead(false);
      return Write();
    }
    const std::size_t bytes = request_.Length();
    v1::SessionRequest request;
    const absl::Status parsed = ParseRequest(request_, request);
    // Frees the memory, since the next message may come much later.
    request_.Clear();
    if (!parsed.ok()) return GoOnAfter(parsed);
    PauseAfter(CostOf(request, bytes));
    if (!request.has_open()) return GoOnAfter(session_->Receive(request));
    // FindWorld compiles the world first, so the session finds it without waiting.
    const std::string world = request.open().world();
    calls::FindWorld(
        engine_, admission_->client(), world,
        [call = shared_from_this(),
         request = std::move(request)](const absl::StatusOr<world::WorldPointer>& found) {
          call->GoOnAfter(found.ok() ? call->session_->Receive(request) : found.status());
        });
  }

  void OnWriteDone(bool ok) override {
    // Gives the tile's room back.
    message_.Clear();
    // Done before the next write: else that could find no tile under way, and end the call.
    if (ok) session_->Pump();
    {
      const std::lock_guard lock(mutex_);
      writing_ = false;
    }
    if (!ok) return StopWith(absl::CancelledError("session: the caller has gone"));
    Write();
    ReadOn();
  }

  void OnCancel() override { StopWith(absl::CancelledError("session: cancelled")); }

  void OnDone() override {
    end_.Done();
    session_->Close();
    self_.reset();
  }

 private:
  void EndRead(bool listening) {
    // Called only when the session has the message: else a write that ends meanwhile could start
    // the next read, which overwrites the message.
    const std::lock_guard lock(mutex_);
    reading_ = false;
    listening_ = listening;
  }

  // Continues after a message.
  void GoOnAfter(const absl::Status& status) {
    EndRead(true);
    if (!status.ok()) return StopWith(status);
    session_->Pump();
    ReadOn();
  }

  // Pauses reading if the caller has sent too much.
  void PauseAfter(double units) {
    const auto wait = admission_->caller().PaceMessage(units);
    if (wait.count() == 0) return;
    {
      const std::lock_guard lock(mutex_);
      paused_ = true;
    }
    timer_->Post(std::chrono::steady_clock::now() + wait, [call = weak_from_this()] {
      const auto held = call.lock();
      if (held == nullptr) return;
      {
        const std::lock_guard lock(held->mutex_);
        held->paused_ = false;
      }
      held->ReadOn();
    });
  }

  // Reads the next message, unless the client has sent too much or leaves too much unread.
  void ReadOn() {
    {
      const std::lock_guard lock(mutex_);
      if (stopped_ || reading_ || paused_ || !listening_ || !session_->AcceptsMore()) return;
      reading_ = true;
    }
    StartRead(&request_);
  }

  // Writes the session's next response, unless a write is under way.
  void Write() {
    bool finish = false;
    {
      const std::lock_guard lock(mutex_);
      if (writing_ || finished_) return;
      if (!stopped_) {
        absl::StatusOr<session::NextResponse> next = session_->Next();
        if (!next.ok()) {
          stopped_ = true;
          status_ = next.status();
        } else if (auto& response = next->response) {
          admission_->Sent(response->head.size() +
                           (response->tile == nullptr ? 0 : response->tile->size()));
          message_ = Wrap(response->head, std::move(response->tile));
          writing_ = true;
        } else if (!listening_ && next->idle) {
          stopped_ = true;
        } else {
          return;
        }
      }
      finish = finished_ = !writing_;
    }
    if (finish) {
      Finish(admission_->End(status_));
    } else {
      StartWrite(&message_);
    }
  }

  // Ends the call when no write is under way, or after the patience. The first status counts.
  void StopWith(const absl::Status& status) {
    bool writing = false;
    {
      const std::lock_guard lock(mutex_);
      writing = writing_;
      if (!stopped_) {
        stopped_ = true;
        status_ = status;
      }
    }
    session_->Close();
    if (writing) end_.CancelLater();
    Write();
  }

  const calls::Engine& engine_;
  const AdmissionPointer admission_;
  CallEnd end_;
  sharing::Timer* timer_ = nullptr;
  access::Revocation::Watch revoked_;
  std::shared_ptr<session::Session> session_;

  std::mutex mutex_;
  bool reading_ = true;
  bool paused_ = false;
  bool listening_ = true;
  bool writing_ = false;
  bool stopped_ = false;
  bool finished_ = false;
  absl::Status status_;       // does not change once stopped_ is set
  grpc::ByteBuffer request_;  // for the read under way
  grpc::ByteBuffer message_;  // for the write under way

  std::shared_ptr<SessionCall> self_;
};

}  // namespace

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* HandleSession(
    const calls::Engine& engine, const SessionParts& parts, AdmissionPointer admission,
    grpc::CallbackServerContext& context) {
  const auto call =
      std::make_shared<SessionCall>(engine, std::move(admission), context, parts.patience);
  call->Start(parts);
  return call.get();
}

}  // namespace thalweg::rpc
