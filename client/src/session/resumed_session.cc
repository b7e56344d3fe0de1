#include "client/src/session/resumed_session.h"

#include <algorithm>
#include <utility>

#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

// While a server reads, only some dozens of messages wait.
constexpr std::size_t kMaxQueued = 4'096;

// Whether another attempt may succeed, because the server, the network or a proxy caused the error.
bool MayPass(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      return false;
    default:
      return true;
  }
}

}  // namespace

ResumedSession::ResumedSession(Connect connect, v1::OpenSession open, Backoff backoff,
                               SessionListener& listener)
    : connect_(std::move(connect)),
      open_(std::move(open)),
      listener_(listener),
      backoff_(backoff) {}

void ResumedSession::Start() {
  writer_ = std::thread([this] { WriteLoop(); });
  reader_ = std::thread([this] { ReadLoop(); });
}

ResumedSession::~ResumedSession() { Stop(); }

void ResumedSession::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (stream_ != nullptr) stream_->Cancel();
  }
  changed_.notify_all();
  if (reader_.joinable()) reader_.join();
  if (writer_.joinable()) writer_.join();
}

void ResumedSession::Begin(std::vector<v1::SessionRequest> requests) {
  const std::lock_guard lock(mutex_);
  queue_.assign(std::make_move_iterator(requests.begin()), std::make_move_iterator(requests.end()));
  ready_ = true;
  changed_.notify_all();
}

void ResumedSession::Send(v1::SessionRequest request) {
  const std::lock_guard lock(mutex_);
  if (!ready_) return;
  if (request.has_view()) {
    std::erase_if(queue_, [](const v1::SessionRequest& queued) { return queued.has_view(); });
  }
  if (queue_.size() >= kMaxQueued) {
    ready_ = false;
    BreakLocked(absl::UnavailableError("the server did not read the client's messages in time"));
    return;
  }
  queue_.push_back(std::move(request));
  changed_.notify_all();
}

void ResumedSession::Break(const absl::Status& why) {
  const std::lock_guard lock(mutex_);
  BreakLocked(why);
}

void ResumedSession::BreakLocked(const absl::Status& why) {
  if (stream_ == nullptr) return;
  broken_because_ = why;
  stream_->Cancel();
}

void ResumedSession::WriteLoop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || (ready_ && !queue_.empty()); });
    if (stopping_) return;
    const v1::SessionRequest request = std::move(queue_.front());
    queue_.pop_front();
    const std::shared_ptr<SessionStream> stream = stream_;
    writing_ = true;
    lock.unlock();
    const bool written = stream->Write(request);
    lock.lock();
    writing_ = false;
    // The reading thread also notices the end.
    if (!written) ready_ = false;
    changed_.notify_all();
  }
}

void ResumedSession::ReadLoop() {
  while (true) {
    const Run run = RunOnce();
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
    }
    const bool final = run.breach ? !backoff_.Fail() : !MayPass(run.status);
    listener_.OnBroken(run.status, final);
    if (final) return;
    if (run.opened && !run.breach) backoff_.Reset();
    if (!Pause(run.status)) return;
  }
}

ResumedSession::Run ResumedSession::RunOnce() {
  const std::shared_ptr<SessionStream> stream = connect_();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) stream->Cancel();
    broken_because_.reset();
    stream_ = stream;
  }
  v1::SessionRequest open;
  *open.mutable_open() = open_;
  Run run;
  absl::Status breach;
  if (stream->Write(open)) breach = Listen(*stream, run.opened);
  run.breach = !breach.ok();
  if (run.breach) Break(breach);
  // Drains the responses that were on their way.
  for (v1::SessionResponse response; stream->Read(response);) {
  }
  run.status = End(stream);
  if (run.breach) run.status = breach;
  return run;
}

absl::Status ResumedSession::Listen(SessionStream& stream, bool& opened) {
  v1::SessionResponse response;
  if (!stream.Read(response)) return absl::OkStatus();
  if (!response.has_opened()) {
    Break(absl::UnimplementedError("the server's first message is not 'opened'"));
    return absl::OkStatus();
  }
  opened = true;
  THALWEG_RETURN_IF_ERROR(listener_.OnOpened(response.opened()));
  while (stream.Read(response)) THALWEG_RETURN_IF_ERROR(listener_.OnResponse(response));
  return absl::OkStatus();
}

absl::Status ResumedSession::End(const std::shared_ptr<SessionStream>& stream) {
  std::unique_lock lock(mutex_);
  ready_ = false;
  queue_.clear();
  changed_.wait(lock, [this] { return !writing_; });
  stream_ = nullptr;
  const std::optional<absl::Status> why = std::exchange(broken_because_, std::nullopt);
  lock.unlock();
  const absl::Status status = stream->Finish();
  if (why) return *why;
  return status.ok() ? absl::UnavailableError("the server ended the session") : status;
}

bool ResumedSession::Pause(const absl::Status& status) {
  const std::chrono::milliseconds pause =
      std::min(wire::RetryDelayOf(status).value_or(backoff_.Pause()), kLongestDelay);
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, pause, [this] { return stopping_; });
  return !stopping_;
}

}  // namespace thalweg
