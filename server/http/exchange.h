// One request and its answer, between the connection that has it and the handler that answers.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "server/calls/admission.h"
#include "server/http/response.h"

namespace thalweg::http {

using Message = boost::beast::http::request<boost::beast::http::string_body>;
using Work = absl::AnyInvocable<void() &&>;

// Where an exchange comes from, and the thread that it lives on.
class Origin {
 public:
  virtual ~Origin() = default;
  // Sends the answer. Called once, on the origin's thread.
  virtual void Send(Response response) = 0;
  // Does the work on the origin's thread: at once if this is it. Thread-safe.
  virtual void Run(Work work) = 0;
  // Does it there after a time.
  virtual void RunAfter(std::chrono::milliseconds delay, Work work) = 0;
};

// A request under way. All but Run is for the origin's thread alone. Kept by whoever will answer.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(std::shared_ptr<Origin> origin, Message message, boost::asio::ip::tcp::endpoint peer,
           bool encrypted);

  const Message& message() const { return message_; }
  bool is_head() const;
  // A header's value; empty if there is none.
  std::string_view Header(std::string_view name) const;
  // Who asks, as gRPC has it: "ipv4:127.0.0.1:4711".
  std::string peer() const;
  // From where, without the port.
  std::string peer_address() const { return peer_.address().to_string(); }
  bool encrypted() const { return encrypted_; }

  // Begins the call: of an id that the caller chose, or a new one.
  void Begin(const calls::CallListeners& listeners, calls::Method method);
  // There once it has begun.
  calls::Admission& admission() { return *admission_; }
  const calls::Admission& admission() const { return *admission_; }
  const std::string& id() const { return admission_->id(); }

  // One of them, once. What was cancelled must be answered too; nobody may read it.
  void Answer(Response response);
  void Fail(const absl::Status& status);
  // With a code that no status has.
  void Fail(int code, const std::string& detail);

  // What ends the handler's work when nobody waits for it any more.
  void OnCancel(Work cancel) { cancel_ = std::move(cancel); }
  // Ends the work: its error will be this.
  void Cancel(const absl::Status& reason);
  bool is_cancelled() const { return !cancelled_.ok(); }

  void Run(Work work) { origin_->Run(std::move(work)); }
  void RunAfter(std::chrono::milliseconds delay, Work work) {
    origin_->RunAfter(delay, std::move(work));
  }

 private:
  void Finish(const absl::Status& status, Response response);

  // Destroyed last: the thread that waits for the last call may destroy what the origin uses.
  std::optional<calls::Admission> admission_;
  const std::shared_ptr<Origin> origin_;
  const Message message_;
  const boost::asio::ip::tcp::endpoint peer_;
  const bool encrypted_;
  Work cancel_;
  absl::Status cancelled_;
};

}  // namespace thalweg::http
