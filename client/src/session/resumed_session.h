// A client's sessions, one after another: when one breaks, the next one is opened.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "client/src/connection/channel.h"
#include "client/src/connection/transport.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// Gets a session's events, on the thread that reads it.
class SessionListener {
 public:
  virtual ~SessionListener() = default;

  // The server has opened a session. The listener calls ResumedSession::Begin with the first
  // messages. It returns an error for an answer that breaks the protocol; the session then ends.
  virtual absl::Status OnOpened(const v1::SessionOpened& opened) = 0;

  // Any other response; an error ends the session.
  virtual absl::Status OnResponse(const v1::SessionResponse& response) = 0;

  // The session ended; nothing is sent until the next one is opened. `final`: there is no next one,
  // because it would fail too.
  virtual void OnBroken(const absl::Status& status, bool final) = 0;
};

// Runs one session after another, on two threads: one reads and reconnects, one writes. Gives up
// after max_attempts sessions in a row in which the server breaks the protocol. Thread-safe.
class ResumedSession {
 public:
  using Connect = std::function<std::unique_ptr<SessionStream>()>;

  // Every session begins with `open`. The listener must outlive this object.
  ResumedSession(Connect connect, v1::OpenSession open, Backoff backoff, SessionListener& listener);
  ~ResumedSession();
  ResumedSession(const ResumedSession&) = delete;
  ResumedSession& operator=(const ResumedSession&) = delete;

  // Opens the first session. Must be called once.
  void Start();

  // Ends the session and joins the threads. Afterwards the listener is not called, and messages are
  // dropped.
  void Stop();

  // Sends these messages before those of Send. OnOpened must call it once for each session.
  void Begin(std::vector<v1::SessionRequest> requests);

  // Queues a message; drops it while no session is open. A view replaces a queued view. If the
  // queue is full, the session is given up.
  void Send(v1::SessionRequest request);

  // Gives up a session that seems dead. Another one is then opened.
  void Break(const absl::Status& why);

 private:
  void ReadLoop();
  void WriteLoop();
  // How a session ended.
  struct Run {
    bool opened = false;
    // Whether the server broke the contract; the status says how.
    bool breach = false;
    absl::Status status;
  };

  // Runs one session, from its opening to its end.
  Run RunOnce();
  // Reads a session to its end. OK unless the server breaks the contract.
  absl::Status Listen(SessionStream& stream, bool& opened);
  // The lock must be held.
  void BreakLocked(const absl::Status& why);
  // Ends the stream and returns why it ended.
  absl::Status End(const std::shared_ptr<SessionStream>& stream);
  // Waits before the next attempt, after an attempt that ended with this status: as long as the
  // server asks for, or the backoff says. False if there is no next attempt.
  bool Pause(const absl::Status& status);

  const Connect connect_;
  const v1::OpenSession open_;
  SessionListener& listener_;
  Backoff backoff_;  // used only by the reading thread

  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<SessionStream> stream_;
  std::deque<v1::SessionRequest> queue_;
  bool ready_ = false;
  bool writing_ = false;
  bool stopping_ = false;
  std::optional<absl::Status> broken_because_;

  std::thread writer_;
  std::thread reader_;
};

}  // namespace thalweg
