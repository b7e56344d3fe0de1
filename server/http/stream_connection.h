// The work of a connection, over any transport.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/calls/call_listener.h"
#include "server/http/connection.h"
#include "server/http/connection_set.h"
#include "server/http/problem.h"
#include "server/http/request_reader.h"
#include "server/http/router.h"

namespace thalweg::http {

// Transport is PlainTransport, TlsTransport, or a class with the same members.
template <typename Transport>
class StreamConnection final : public Connection,
                               public std::enable_shared_from_this<StreamConnection<Transport>> {
 public:
  StreamConnection(ConnectionSet& set, const Shared& shared, Transport transport, Peer peer)
      : set_(set),
        shared_(shared),
        transport_(std::move(transport)),
        peer_(std::move(peer)),
        reader_(shared_.options.limits) {}

  void Start() override {
    set_.Add(this->shared_from_this());
    waiting_since_ = set_.now();
    Become(State::kHandshake, shared_.options.limits.read_timeout);
    transport_.Open([self = this->shared_from_this()](const Error& error) {
      if (error) return self->Close();
      self->BeginRequest();
    });
  }

  void Sweep(Clock::time_point now) override {
    if (now < deadline_) return;
    switch (state_) {
      case State::kReading:
        if (continuing_) return Close();
        return Refuse({408, "only a part of the request arrived in time"});
      case State::kWorking:
        // Cancels only once; the cancelled work will answer.
        deadline_ = Clock::time_point::max();
        exchange_->Cancel(
            absl::DeadlineExceededError("the server did not finish the answer in time; try again"));
        return;
      default:
        return Close();
    }
  }

  void Drain() override {
    draining_ = true;
    if (state_ == State::kIdle || state_ == State::kHandshake) Close();
  }

  void End(const absl::Status& why) override {
    Drain();
    if (state_ != State::kWorking) return;
    deadline_ = Clock::time_point::max();
    exchange_->Cancel(why);
  }

  void Abort() override { Close(); }

  Clock::time_point waiting_since() const override {
    switch (state_) {
      case State::kHandshake:
      case State::kIdle:
      case State::kReading:
        return waiting_since_;
      case State::kLingering:
        return Clock::time_point::min();
      default:
        return Clock::time_point::max();
    }
  }

  std::string_view prefix() const override { return peer_.slot.prefix(); }

  // Functions of Origin.
  void Send(Response response) override {
    if (state_ != State::kWorking) return;
    // Write may destroy the exchange; its call stays inside the gate until the answer is written.
    Write(std::move(response));
  }
  void Run(Work work) override {
    boost::asio::dispatch(set_.context(),
                          [work = std::move(work)]() mutable { std::move(work)(); });
  }
  void RunAfter(std::chrono::milliseconds delay, Work work) override {
    auto timer = std::make_shared<boost::asio::steady_timer>(set_.context(), delay);
    timer->async_wait([timer, work = std::move(work)](const Error&) mutable { std::move(work)(); });
  }

 private:
  using Error = boost::system::error_code;
  using Progress = RequestReader::Progress;

  // Bytes that are read at a time; an idle connection holds as many. Most requests are shorter.
  static constexpr std::size_t kReadBytes = 1'024;
  // Max bytes that are read ahead while a request is worked on; more wait in the socket.
  static constexpr std::size_t kMaxAheadBytes = 16 << 10;
  // How many bytes are written at a time. Asio's default, 64 KiB, would cut a picture in three.
  static constexpr std::size_t kMaxWrittenBytes = std::size_t{4} << 20;
  // How long the peer may take to read the answer.
  static constexpr std::chrono::milliseconds kWriteTimeout{120'000};
  // How long the peer's bytes are still read after the last answer, so that the peer gets the
  // answer instead of a reset (RFC 9112, 9.6).
  static constexpr std::chrono::milliseconds kLinger{2'000};

  enum class State {
    kHandshake,
    kIdle,     // no byte of a request has come
    kReading,  // a part of a request has come
    kWorking,
    kWriting,
    kLingering,
    kClosed,
  };

  void Become(State state, std::chrono::milliseconds timeout) {
    state_ = state;
    deadline_ = set_.now() + timeout;
  }

  void BeginRequest() {
    if (state_ == State::kClosed) return;
    exchange_.reset();
    body_.reset();
    if (draining_) return Linger();
    if (state_ != State::kHandshake) waiting_since_ = set_.now();
    if (reader_.unread_bytes() == 0) {
      reader_.Shrink(kReadBytes);
      Become(State::kIdle, shared_.options.limits.idle_timeout);
      return Read();
    }
    Become(State::kReading, shared_.options.limits.read_timeout);
    Parse();
  }

  void Read() {
    if (reading_ || state_ == State::kClosed) return;
    reading_ = true;
    transport_.stream().async_read_some(
        boost::asio::buffer(incoming_),
        [self = this->shared_from_this()](const Error& error, std::size_t bytes) {
          self->OnRead(error, bytes);
        });
  }

  void OnRead(const Error& error, std::size_t bytes) {
    reading_ = false;
    if (state_ == State::kClosed) return;
    if (error) return OnGone();
    if (state_ == State::kLingering) return Read();
    reader_.Append({incoming_.data(), bytes});
    if (continuing_) return ListenOn();
    if (state_ == State::kIdle) Become(State::kReading, shared_.options.limits.read_timeout);
    if (state_ == State::kReading) return Parse();
    ListenOn();
  }

  // Keeps reading while a request is worked on, to notice that the peer closes.
  void ListenOn() {
    if (reader_.unread_bytes() < kMaxAheadBytes) Read();
  }

  void OnGone() {
    // The peer may still read the answer that is being written. If it can't, the write fails.
    if (state_ == State::kWriting) {
      draining_ = true;
      return;
    }
    Close();
  }

  void Parse() {
    switch (reader_.Read()) {
      case Progress::kMore:
        return Read();
      case Progress::kHead:
        deadline_ = set_.now() + shared_.options.limits.read_timeout;
        if (reader_.awaits_continue()) return WriteContinue();
        return Parse();
      case Progress::kRequest:
        return Hand();
      case Progress::kRefused:
        return Refuse(reader_.refusal());
    }
  }

  // No request is dispatched until it is written.
  void WriteContinue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    continuing_ = true;
    boost::asio::async_write(transport_.stream(), boost::asio::buffer(kContinue),
                             [self = this->shared_from_this()](const Error& error, std::size_t) {
                               self->continuing_ = false;
                               if (self->state_ != State::kReading) return;
                               if (error) return self->Close();
                               self->Parse();
                             });
  }

  void Hand() {
    keep_alive_ = reader_.keep_alive();
    http_1_0_ = reader_.http_1_0();
    Become(State::kWorking, shared_.options.limits.request_timeout);
    exchange_ = std::make_shared<Exchange>(this->shared_from_this(), reader_.Take(), peer_.endpoint,
                                           Transport::kEncrypted);
    head_only_ = exchange_->is_head();
    if (set_.HasTurn() || AsksAboutServer(exchange_->target())) {
      Dispatch(exchange_);
    } else {
      set_.AwaitTurn([self = this->shared_from_this(), exchange = exchange_] {
        // The peer may have gone meanwhile.
        if (self->exchange_ == exchange) self->Dispatch(exchange);
      });
    }
    if (state_ == State::kWorking) ListenOn();
  }

  // Takes a copy, since an immediate answer resets the member.
  void Dispatch(std::shared_ptr<Exchange> exchange) { shared_.dispatch(exchange); }

  // Answers an invalid request, and closes: the bytes that follow can't be trusted.
  void Refuse(const Refusal& refusal) {
    Become(State::kWorking, shared_.options.limits.request_timeout);
    head_only_ = false;
    http_1_0_ = false;
    const std::string id = calls::MakeRequestId();
    Response response = ProblemOf(refusal.code, refusal.detail, id);
    response.Add("X-Request-Id", id).close = true;
    Write(std::move(response));
  }

  void Write(Response response) {
    Become(State::kWriting, kWriteTimeout);
    keep_alive_ = keep_alive_ && !response.close && !draining_;
    head_ = HeadOf(response, set_.date(), keep_alive_, http_1_0_);
    if (!head_only_) body_ = std::move(response.body);
    static const std::string nothing;
    const std::string& body = body_ == nullptr ? nothing : *body_;
    const std::array<boost::asio::const_buffer, 2> buffers{boost::asio::buffer(head_),
                                                           boost::asio::buffer(body)};
    const auto how_much = [](const Error& error, std::size_t) {
      return error ? 0 : kMaxWrittenBytes;
    };
    boost::asio::async_write(transport_.stream(), buffers, how_much,
                             [self = this->shared_from_this()](const Error& error, std::size_t) {
                               self->OnWritten(error);
                             });
  }

  void OnWritten(const Error& error) {
    if (state_ == State::kClosed) return;
    if (error) return Close();
    if (!keep_alive_) return Linger();
    BeginRequest();
  }

  void Linger() {
    exchange_.reset();
    body_.reset();
    Become(State::kLingering, kLinger);
    transport_.Finish([self = this->shared_from_this()] { self->Close(); });
    if constexpr (!Transport::kEncrypted) Read();
  }

  void Close() {
    if (state_ == State::kClosed) return;
    state_ = State::kClosed;
    const auto self = this->shared_from_this();
    set_.Remove(self);
    transport_.Close();
    // Gives the slot back now, since this object may live on.
    peer_.slot = {};
    if (const auto exchange = std::exchange(exchange_, nullptr)) {
      exchange->Cancel(absl::CancelledError("the caller has gone"));
    }
  }

  ConnectionSet& set_;
  const Shared& shared_;
  Transport transport_;
  Peer peer_;

  State state_ = State::kHandshake;
  Clock::time_point waiting_since_;
  Clock::time_point deadline_ = Clock::time_point::max();
  bool draining_ = false;

  bool reading_ = false;
  // Whether "100 Continue" is being written.
  bool continuing_ = false;
  std::array<char, kReadBytes> incoming_;
  RequestReader reader_;

  // The request under way, and how its answer is sent.
  std::shared_ptr<Exchange> exchange_;
  bool keep_alive_ = true;
  bool http_1_0_ = false;
  bool head_only_ = false;
  std::string head_;
  Body body_;
};

}  // namespace thalweg::http
