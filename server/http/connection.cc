#include "server/http/connection.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "server/calls/request_id.h"
#include "server/http/loop.h"
#include "server/http/problem.h"

namespace thalweg::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;
using PlainStream = tcp::socket;
using TlsStream = asio::ssl::stream<tcp::socket>;

// Read at a time, and what an idle connection holds. Most requests are shorter.
constexpr std::size_t kReadBytes = 1'024;
// Read ahead of the request that is worked on; more waits in the socket.
constexpr std::size_t kMostAheadBytes = 16 << 10;
// Handed to the system at a time. Asio's own limit, 64 KiB, would cut a picture in three.
constexpr std::size_t kMostWrittenBytes = std::size_t{4} << 20;
// After the last answer what the peer still sends is read for so long, so that it gets the answer
// and not a reset (RFC 9112, 9.6).
constexpr std::chrono::milliseconds kLinger{2'000};

enum class State {
  kHandshake,
  kIdle,     // no byte of a request is here
  kReading,  // some are
  kWorking,
  kWriting,
  kLingering,
  kClosed,
};

template <typename Stream>
class StreamConnection final : public Connection,
                               public std::enable_shared_from_this<StreamConnection<Stream>> {
 public:
  StreamConnection(Loop& loop, const Shared& shared, Stream stream, tcp::endpoint peer,
                   std::shared_ptr<asio::ssl::context> tls)
      : loop_(loop),
        shared_(shared),
        tls_(std::move(tls)),
        stream_(std::move(stream)),
        peer_(std::move(peer)) {}

  void Start() override {
    loop_.Add(this->shared_from_this());
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      Become(State::kHandshake, shared_.options.read_timeout);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](const error_code& error) {
                                if (error) return self->Close();
                                self->BeginRequest();
                              });
    } else {
      BeginRequest();
    }
  }

  void Sweep(Clock::time_point now) override {
    if (now < deadline_) return;
    switch (state_) {
      case State::kReading:
        if (continuing_) return Close();
        return Refuse(408, "the request took too long to arrive");
      case State::kWorking:
        // Not again; what is cancelled answers.
        deadline_ = Clock::time_point::max();
        exchange_->Cancel(absl::DeadlineExceededError("the answer was not ready in time"));
        return;
      default:
        return Close();
    }
  }

  void Drain() override {
    draining_ = true;
    if (state_ == State::kIdle || state_ == State::kHandshake) Close();
  }

  void Abort() override { Close(); }

  Clock::time_point idle_since() const override {
    return state_ == State::kIdle ? since_ : Clock::time_point::max();
  }

  // Origin.
  void Send(Response response) override {
    if (state_ != State::kWorking) return;
    // The exchange may go with this; its guest stays inside until the answer is written.
    Write(std::move(response));
  }
  void Run(Work work) override {
    asio::dispatch(loop_.context(), [work = std::move(work)]() mutable { std::move(work)(); });
  }
  void RunAfter(std::chrono::milliseconds delay, Work work) override {
    auto timer = std::make_shared<asio::steady_timer>(loop_.context(), delay);
    timer->async_wait(
        [timer, work = std::move(work)](const error_code&) mutable { std::move(work)(); });
  }

 private:
  using Parser = beast::http::request_parser<beast::http::string_body>;

  void Become(State state, std::chrono::milliseconds timeout) {
    state_ = state;
    since_ = loop_.now();
    deadline_ = since_ + timeout;
  }

  void BeginRequest() {
    parser_.reset();
    exchange_.reset();
    body_.reset();
    if (draining_) return Linger();
    if (pending_.empty()) {
      // An idle connection keeps no memory of its last request.
      if (pending_.capacity() > kReadBytes) std::string().swap(pending_);
      Become(State::kIdle, shared_.options.idle_timeout);
      return Read();
    }
    Become(State::kReading, shared_.options.read_timeout);
    Parse();
  }

  void Read() {
    if (reading_ || state_ == State::kClosed) return;
    reading_ = true;
    stream_.async_read_some(
        asio::buffer(incoming_),
        [self = this->shared_from_this()](const error_code& error, std::size_t bytes) {
          self->OnRead(error, bytes);
        });
  }

  void OnRead(const error_code& error, std::size_t bytes) {
    reading_ = false;
    if (state_ == State::kClosed) return;
    if (error) return OnGone();
    if (state_ == State::kLingering) return Read();
    pending_.append(incoming_.data(), bytes);
    if (continuing_) return ListenOn();
    if (state_ == State::kIdle) Become(State::kReading, shared_.options.read_timeout);
    if (state_ == State::kReading) return Parse();
    ListenOn();
  }

  // While a request is worked on, to learn when its caller is gone.
  void ListenOn() {
    if (pending_.size() < kMostAheadBytes) Read();
  }

  void OnGone() {
    // An answer that is being written may still be read: who is gone ends the writing.
    if (state_ == State::kWriting) {
      draining_ = true;
      return;
    }
    Close();
  }

  void Parse() {
    if (!parser_) {
      parser_.emplace();
      parser_->header_limit(shared_.options.max_header_bytes);
      parser_->body_limit(shared_.options.max_body_bytes);
      parser_->eager(true);
    }
    error_code error;
    const bool had_header = parser_->is_header_done();
    const std::size_t used = parser_->put(asio::buffer(pending_), error);
    pending_.erase(0, used);
    if (error && error != beast::http::error::need_more) return RefuseParsed(error);
    if (!had_header && parser_->is_header_done() && !AcceptHead()) return;
    if (continuing_) return;
    if (parser_->is_done()) return Hand();
    if (pending_.size() > shared_.options.max_header_bytes) {
      return Refuse(431, "the request's head is too large");
    }
    Read();
  }

  // What the head alone tells to be wrong, and what a cautious caller waits for.
  bool AcceptHead() {
    const auto& head = parser_->get();
    const bool has_body = parser_->chunked() || parser_->content_length().value_or(0) > 0;
    if (head.version() != 11 && head.version() != 10) {
      Refuse(505, "the server speaks HTTP/1.1");
      return false;
    }
    if (head.version() == 11 && head.count(beast::http::field::host) != 1) {
      Refuse(400, "the request must name one host");
      return false;
    }
    if (has_body && head.method() != beast::http::verb::post) {
      Refuse(413, "only POST may have a body");
      return false;
    }
    if (!parser_->is_done() && beast::iequals(head[beast::http::field::expect], "100-continue")) {
      WriteContinue();
    }
    deadline_ = loop_.now() + shared_.options.read_timeout;
    return true;
  }

  // Nothing is handed on until it is written.
  void WriteContinue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    continuing_ = true;
    asio::async_write(stream_, asio::buffer(kContinue),
                      [self = this->shared_from_this()](const error_code& error, std::size_t) {
                        self->continuing_ = false;
                        if (self->state_ != State::kReading) return;
                        if (error) return self->Close();
                        self->Parse();
                      });
  }

  void Hand() {
    keep_alive_ = parser_->keep_alive();
    http_1_0_ = parser_->get().version() == 10;
    Become(State::kWorking, shared_.options.request_timeout);
    exchange_ = std::make_shared<Exchange>(this->shared_from_this(), parser_->release(), peer_,
                                           std::is_same_v<Stream, TlsStream>);
    parser_.reset();
    head_only_ = exchange_->is_head();
    // Own hold of it: an answer at once forgets it.
    const std::shared_ptr<Exchange> exchange = exchange_;
    shared_.dispatch(exchange);
    if (state_ == State::kWorking) ListenOn();
  }

  void RefuseParsed(const error_code& error) {
    using Reason = beast::http::error;
    if (error == Reason::header_limit || error == Reason::buffer_overflow) {
      return Refuse(431, "the request's head is too large");
    }
    if (error == Reason::body_limit) return Refuse(413, "the request's body is too large");
    if (error == Reason::bad_version) return Refuse(505, "the server speaks HTTP/1.1");
    Refuse(400, "the request is no HTTP: " + error.message());
  }

  // Answers what never became a request, and ends the connection: what follows can't be trusted.
  void Refuse(int code, const std::string& detail) {
    Become(State::kWorking, shared_.options.request_timeout);
    head_only_ = false;
    http_1_0_ = false;
    const std::string id = calls::MakeRequestId();
    Response response = ProblemOf(code, detail, id);
    response.Add("X-Request-Id", id).close = true;
    Write(std::move(response));
  }

  void Write(Response response) {
    Become(State::kWriting, shared_.options.write_timeout);
    keep_alive_ = keep_alive_ && !response.close && !draining_;
    head_ = HeadOf(response, loop_.date(), keep_alive_, http_1_0_);
    if (!head_only_) body_ = std::move(response.body);
    static const std::string kNothing;
    const std::string& body = body_ == nullptr ? kNothing : *body_;
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(head_), asio::buffer(body)};
    const auto how_much = [](const error_code& error, std::size_t) {
      return error ? 0 : kMostWrittenBytes;
    };
    asio::async_write(stream_, buffers, how_much,
                      [self = this->shared_from_this()](const error_code& error, std::size_t) {
                        self->OnWritten(error);
                      });
  }

  void OnWritten(const error_code& error) {
    if (state_ == State::kClosed) return;
    if (error) return Close();
    if (!keep_alive_) return Linger();
    BeginRequest();
  }

  void Linger() {
    exchange_.reset();
    body_.reset();
    Become(State::kLingering, kLinger);
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      stream_.async_shutdown(
          [self = this->shared_from_this()](const error_code&) { self->Close(); });
    } else {
      error_code ignored;
      stream_.shutdown(tcp::socket::shutdown_send, ignored);
      Read();
    }
  }

  void Close() {
    if (state_ == State::kClosed) return;
    state_ = State::kClosed;
    const auto self = this->shared_from_this();
    loop_.Remove(self);
    error_code ignored;
    stream_.lowest_layer().close(ignored);
    if (const auto exchange = std::exchange(exchange_, nullptr)) {
      exchange->Cancel(absl::CancelledError("the caller is gone"));
    }
  }

  Loop& loop_;
  const Shared& shared_;
  // Before the stream, which uses it.
  const std::shared_ptr<asio::ssl::context> tls_;
  Stream stream_;
  const tcp::endpoint peer_;

  State state_ = State::kHandshake;
  Clock::time_point since_;
  Clock::time_point deadline_ = Clock::time_point::max();
  bool draining_ = false;

  bool reading_ = false;
  // Whether "100 Continue" is being written.
  bool continuing_ = false;
  std::array<char, kReadBytes> incoming_;
  // What was read and not parsed yet.
  std::string pending_;
  std::optional<Parser> parser_;

  // The request that is worked on, and how its answer is sent.
  std::shared_ptr<Exchange> exchange_;
  bool keep_alive_ = true;
  bool http_1_0_ = false;
  bool head_only_ = false;
  std::string head_;
  Body body_;
};

}  // namespace

std::shared_ptr<Connection> Connection::Create(Loop& loop, const Shared& shared, tcp::socket socket,
                                               std::shared_ptr<asio::ssl::context> tls) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  const tcp::endpoint peer = socket.remote_endpoint(ignored);
  if (tls == nullptr) {
    return std::make_shared<StreamConnection<PlainStream>>(loop, shared, std::move(socket), peer,
                                                           nullptr);
  }
  TlsStream stream(std::move(socket), *tls);
  return std::make_shared<StreamConnection<TlsStream>>(loop, shared, std::move(stream), peer,
                                                       std::move(tls));
}

}  // namespace thalweg::http
