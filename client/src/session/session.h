// A session that is taken up again whenever it breaks.
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

// What hears of a session, on the thread that reads it.
class SessionListener {
 public:
  virtual ~SessionListener() = default;

  // The server has opened a session. It calls Session::Begin, with what the server must know first.
  // An error for what no server may say: the session ends with it.
  virtual absl::Status OnOpened(const v1::SessionOpened& opened) = 0;

  // Anything else that the server sent; an error likewise.
  virtual absl::Status OnResponse(const v1::SessionResponse& response) = 0;

  // The session ended; nothing is sent until the next one is opened. `final`: there will be none,
  // for a reason that no further attempt would mend.
  virtual void OnBroken(const absl::Status& status, bool final) = 0;
};

// Two threads: one reads and reconnects, one writes. A server that says what it may not is tried as
// often as one that is not there, one after the other, and then given up. Thread-safe.
class Session {
 public:
  using Connect = std::function<std::unique_ptr<SessionStream>()>;

  // `open` begins every session. The listener outlives this.
  Session(Connect connect, v1::OpenSession open, Backoff backoff, SessionListener& listener);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Begins to connect; once.
  void Start();

  // Ends the session and joins the threads: the listener is called no more, what is sent is
  // dropped.
  void Stop();

  // Sends these first and then what Send is given. From OnOpened, once for each.
  void Begin(std::vector<v1::SessionRequest> requests);

  // Queues a message; drops it while no session is open. A view takes the place of one that is
  // queued still. A server that takes none of so many is left.
  void Send(v1::SessionRequest request);

  // Gives a session up that seems dead, so that another one is opened.
  void Break(const absl::Status& why);

 private:
  void ReadLoop();
  void WriteLoop();
  // How a session went.
  struct Run {
    bool opened = false;
    // The server said what it may not; the status says what.
    bool breach = false;
    absl::Status status;
  };

  // One session, from its opening to its end.
  Run RunOnce();
  // Hears a session out. What the server said that it may not; OK if there was nothing.
  absl::Status Listen(SessionStream& stream, bool& opened);
  // With the lock held.
  void BreakLocked(const absl::Status& why);
  // Ends the stream and says why it did.
  absl::Status End(const std::shared_ptr<SessionStream>& stream);
  // Waits before the next attempt, after one that ended so: as long as the server asks for, or the
  // backoff. False if there is to be none.
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
