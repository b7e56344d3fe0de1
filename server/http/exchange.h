// One request and its answer, between the connection that read it and the handler.
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
  // Runs the work on the origin's thread: at once if called there. Thread-safe.
  virtual void Run(Work work) = 0;
  // Runs it there after a delay.
  virtual void RunAfter(std::chrono::milliseconds delay, Work work) = 0;
};

// A request under way. All but Run is for the origin's thread only. Its handler keeps it until it
// is answered.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(std::shared_ptr<Origin> origin, Message message, boost::asio::ip::tcp::endpoint peer,
           bool encrypted);

  const Message& message() const { return message_; }
  bool is_head() const;
  // A header's value; empty if there is none.
  std::string_view Header(std::string_view name) const;
  // The peer, written as gRPC does: "ipv4:127.0.0.1:4711".
  std::string peer() const;
  // The peer's address, without the port.
  std::string peer_address() const { return peer_.address().to_string(); }
  bool encrypted() const { return encrypted_; }

  // Begins the call, with the id that the caller chose, or a new one.
  void Begin(const calls::CallListeners& listeners, calls::Method method);
  // There once it has begun.
  calls::Admission& admission() { return *admission_; }
  const calls::Admission& admission() const { return *admission_; }
  const std::string& id() const { return admission_->id(); }

  // One of these, once. A cancelled request must be answered too; its answer may not be read.
  void Answer(Response response);
  void Fail(const absl::Status& status);
  // With a code that no absl::Status has.
  void Fail(int code, const std::string& detail);

  // `cancel` ends the handler's work when the peer is gone or its time is over.
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
