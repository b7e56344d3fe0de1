// A session that is resumed whenever it breaks.
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
#include "client/src/connection/backoff.h"
#include "client/src/connection/session_stream.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg {

// Gets a session's events, on the thread that reads it.
class SessionListener {
 public:
  virtual ~SessionListener() = default;

  // The server has opened a session. The listener calls Session::Begin with the first messages. An
  // error, for an answer that breaks the protocol, ends the session.
  virtual absl::Status OnOpened(const v1::SessionOpened& opened) = 0;

  // Any other response; an error ends the session.
  virtual absl::Status OnResponse(const v1::SessionResponse& response) = 0;

  // The session ended, and nothing is sent until the next one is opened. `final`: no further
  // session is tried, since it would fail too.
  virtual void OnBroken(const absl::Status& status, bool final) = 0;
};

// Has two threads: one reads and reconnects, one writes. Gives up after max_attempts sessions in a
// row whose server breaks the protocol. Thread-safe.
class Session {
 public:
  using Connect = std::function<std::unique_ptr<SessionStream>()>;

  // `open` begins every session. The listener outlives this.
  Session(Connect connect, v1::OpenSession open, Backoff backoff, SessionListener& listener);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Starts to connect. Called once.
  void Start();

  // Ends the session and joins the threads. The listener is not called any more, and messages are
  // dropped.
  void Stop();

  // Sends these messages before those of Send. Called by OnOpened, once for each session.
  void Begin(std::vector<v1::SessionRequest> requests);

  // Queues a message, or drops it while no session is open. A view replaces a queued one. When the
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
    // The server broke the contract; the status says how.
    bool breach = false;
    absl::Status status;
  };

  // One session, from its opening to its end.
  Run RunOnce();
  // Reads a session to its end. OK unless the server breaks the contract.
  absl::Status Listen(SessionStream& stream, bool& opened);
  // With the lock held.
  void BreakLocked(const absl::Status& why);
  // Ends the stream and returns why it ended.
  absl::Status End(const std::shared_ptr<SessionStream>& stream);
  // Waits before the next attempt, after one that ended with this status: as long as the server
  // asks for, or the backoff. False if there is to be no other.
  bool Pause(const absl::Status& status);

  const Connect connect_;
  const v1::OpenSession open_;
  SessionListener& listener_;
  Backoff backoff_;  // the reading thread's

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
