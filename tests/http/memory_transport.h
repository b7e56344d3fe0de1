// A connection's bytes in memory, for tests and the fuzzer, without sockets, threads or clocks.
#pragma once

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/any_invocable.h"

namespace thalweg::http {

// The bytes between a connection and its peer, the test.
class Wire {
 public:
  using Error = boost::system::error_code;
  using Done = absl::AnyInvocable<void(Error, std::size_t)>;

  explicit Wire(boost::asio::io_context& context) : context_(context) {}

  // The peer's side. Sends bytes; ends its direction; turns reading off and on.
  void Send(std::string_view bytes) {
    sent_ += bytes;
    Move();
  }
  void End() {
    ended_ = true;
    Move();
  }
  void TakeAll(bool takes) {
    takes_ = takes;
    Move();
  }
  // The bytes that the peer has got, and whether the connection has ended its direction.
  const std::string& received() const { return received_; }
  bool finished() const { return finished_; }
  bool closed() const { return closed_; }

  // The connection's side.
  boost::asio::io_context& context() { return context_; }
  void Read(boost::asio::mutable_buffer buffer, Done done) {
    read_ = std::move(done);
    into_ = buffer;
    Move();
  }
  void Write(std::string bytes, Done done) {
    writing_ = std::move(bytes);
    write_ = std::move(done);
    Move();
  }
  void Finish() { finished_ = true; }
  void Close() {
    closed_ = true;
    Move();
  }

 private:
  // Ends the read and the write that can end now.
  void Move() {
    if (read_ && (closed_ || ended_ || !sent_.empty())) {
      const std::size_t bytes = closed_ ? 0 : boost::asio::buffer_copy(into_, Bytes(sent_));
      sent_.erase(0, bytes);
      const Error error = closed_      ? boost::asio::error::operation_aborted
                          : bytes == 0 ? Error(boost::asio::error::eof)
                                       : Error();
      Post(std::exchange(read_, nullptr), error, bytes);
    }
    if (write_ && (closed_ || takes_)) {
      if (!closed_) received_ += writing_;
      Post(std::exchange(write_, nullptr),
           closed_ ? Error(boost::asio::error::operation_aborted) : Error(),
           closed_ ? 0 : writing_.size());
    }
  }
  static boost::asio::const_buffer Bytes(const std::string& text) {
    return boost::asio::buffer(text);
  }
  void Post(Done done, Error error, std::size_t bytes) {
    boost::asio::post(context_,
                      [done = std::move(done), error, bytes]() mutable { done(error, bytes); });
  }

  boost::asio::io_context& context_;
  std::string sent_;
  std::string received_;
  bool ended_ = false;
  bool takes_ = true;
  bool finished_ = false;
  bool closed_ = false;
  boost::asio::mutable_buffer into_;
  std::string writing_;
  Done read_;
  Done write_;
};

// The connection's side. Its handshake ends at once or never.
class MemoryTransport {
 public:
  static constexpr bool kEncrypted = false;

  class Stream {
   public:
    using executor_type = boost::asio::io_context::executor_type;

    explicit Stream(std::shared_ptr<Wire> wire) : wire_(std::move(wire)) {}
    executor_type get_executor() { return wire_->context().get_executor(); }
    template <typename Then>
    void async_read_some(const boost::asio::mutable_buffer& buffer, Then then) {
      wire_->Read(buffer, std::move(then));
    }
    // Writes at most kMaxBytes at a time, so that a long answer takes several steps.
    template <typename Buffers, typename Then>
    void async_write_some(const Buffers& buffers, Then then) {
      constexpr std::size_t kMaxBytes = 1'000;
      std::string bytes(std::min(boost::asio::buffer_size(buffers), kMaxBytes), '\0');
      boost::asio::buffer_copy(boost::asio::buffer(bytes), buffers);
      wire_->Write(std::move(bytes), std::move(then));
    }

   private:
    std::shared_ptr<Wire> wire_;
  };

  explicit MemoryTransport(std::shared_ptr<Wire> wire, bool shakes_hands_for_ever = false)
      : wire_(std::move(wire)), stream_(wire_), shakes_hands_for_ever_(shakes_hands_for_ever) {}

  Stream& stream() { return stream_; }
  template <typename Then>
  void Open(const Then& then) {
    if (!shakes_hands_for_ever_) then(Wire::Error());
  }
  template <typename Then>
  void Finish(const Then&) {
    wire_->Finish();
  }
  void Close() { wire_->Close(); }

 private:
  std::shared_ptr<Wire> wire_;
  Stream stream_;
  bool shakes_hands_for_ever_;
};

}  // namespace thalweg::http
