// One request and its answer. The connection and the handler share it.
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

// The source of an exchange, and the thread that the exchange lives on.
class Origin {
 public:
  virtual ~Origin() = default;
  // Sends the answer. Called once, on the origin's thread.
  virtual void Send(Response response) = 0;
  // Runs the work on the origin's thread; at once if called on that thread. Thread-safe.
  virtual void Run(Work work) = 0;
  // Runs the work on the origin's thread after a delay.
  virtual void RunAfter(std::chrono::milliseconds delay, Work work) = 0;
};

// A request under way. Only Run may be called on other threads than the origin's. Its handler holds
// it until it is answered.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(std::shared_ptr<Origin> origin, Message message, boost::asio::ip::tcp::endpoint peer,
           bool encrypted);

  const Message& message() const { return message_; }
  bool is_head() const;
  // The target as it was sent.
  std::string_view target() const { return {message_.target().data(), message_.target().size()}; }
  // The value of a header; empty if the request does not have it.
  std::string_view Header(std::string_view name) const;
  // The peer in gRPC's form: "ipv4:127.0.0.1:4711".
  std::string peer() const;
  // The peer's address, without the port.
  std::string peer_address() const { return peer_.address().to_string(); }
  bool encrypted() const { return encrypted_; }

  // Begins the call. Its id is the caller's, or a new one.
  void Begin(const calls::CallListeners& listeners, calls::Method method);
  // Must not be called before Begin.
  calls::Admission& admission() { return *admission_; }
  const calls::Admission& admission() const { return *admission_; }
  const std::string& id() const { return admission_->id(); }

  // One of these three, once. A cancelled request needs an answer too, which may not be read.
  void Answer(Response response);
  void Fail(const absl::Status& status);
  // Fails with a code that no absl::Status has.
  void Fail(int code, const std::string& detail);

  // `cancel` ends the handler's work if the peer is gone or the time is over.
  void OnCancel(Work cancel) { cancel_ = std::move(cancel); }
  // Cancels the work; the reason becomes its error.
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
