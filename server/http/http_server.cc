#include "server/http/http_server.h"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <future>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/host_port.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/http/dispatcher.h"
#include "server/http/target.h"

namespace thalweg::http {
namespace {

namespace ssl = boost::asio::ssl;

// How long a session may be resumed. The client's certificate is not checked again, so an expired
// one remains valid that long.
constexpr long kSessionSeconds = 600;

// Selects HTTP/1.1 from the protocols that the client offers (RFC 7301).
int ChooseProtocol(SSL*, const unsigned char** out, unsigned char* out_bytes,
                   const unsigned char* in, unsigned int in_bytes, void*) {
  static constexpr std::string_view kProtocols("\x08http/1.1");
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(
          &chosen, out_bytes, reinterpret_cast<const unsigned char*>(kProtocols.data()),
          static_cast<unsigned int>(kProtocols.size()), in, in_bytes) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

// Binds sessions to the roots that client certificates were checked against: with other roots they
// are not valid (SSL_CTX_set_session_id_context(3)).
bool BindSessionsTo(const std::string& client_roots, SSL_CTX* context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int bytes = 0;
  return EVP_Digest(client_roots.data(), client_roots.size(), digest.data(), &bytes, EVP_sha256(),
                    nullptr) == 1 &&
         SSL_CTX_set_session_id_context(context, digest.data(), bytes) == 1;
}

using boost::asio::ip::tcp;
using boost::system::error_code;

// The pause after accept fails, which happens most of all without free file descriptors.
constexpr std::chrono::milliseconds kAcceptPause{100};

// How long callers have to read that their requests were cancelled, when the server stops.
constexpr std::chrono::seconds kLastAnswers{3};

bool IsShortOfFiles(const error_code& error) {
  return error == boost::system::errc::too_many_files_open ||
         error == boost::system::errc::too_many_files_open_in_system;
}

absl::Status NoListener(const std::string& setting, const std::string& address,
                        const error_code& error) {
  return absl::UnavailableError(absl::StrCat(
      "listen on ", address, " (", setting, "): ", error.message(),
      IsShortOfFiles(error) ? "; raise the limit of open files (ulimit -n, LimitNOFILE)" : ""));
}

// The answer to requests that the server did not finish before it stopped.
absl::Status Stopped() {
  absl::Status stopped =
      absl::UnavailableError("the server is stopping and did not finish this request: try again");
  wire::SetRetryDelay(stopped, std::chrono::seconds(1));
  return stopped;
}

absl::StatusOr<tcp::endpoint> EndpointOf(const std::string& setting, const std::string& address) {
  THALWEG_ASSIGN_OR_RETURN(const wire::HostPort parsed, wire::ParseHostPort(setting, address, 0));
  error_code error;
  const auto ip =
      boost::asio::ip::make_address(parsed.host == "localhost" ? "127.0.0.1" : parsed.host, error);
  if (error) {
    return wire::Invalid(setting, "an IP address or localhost",
                         absl::StrCat("'", parsed.host, "'"));
  }
  return tcp::endpoint(ip, static_cast<std::uint16_t>(parsed.port));
}

}  // namespace

std::shared_ptr<ssl::context> MakeTlsContext(const access::TlsIdentity& identity) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  if (SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION) != 1) return nullptr;
  if (!BindSessionsTo(identity.client_roots, native)) return nullptr;
  SSL_CTX_set_timeout(native, kSessionSeconds);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(native, ChooseProtocol, nullptr);
  boost::system::error_code error;
  context->use_certificate_chain(boost::asio::buffer(identity.certificate_chain), error);
  if (error) return nullptr;
  context->use_private_key(boost::asio::buffer(identity.private_key), ssl::context::pem, error);
  if (error) return nullptr;
  if (identity.client_roots.empty()) return context;
  context->add_certificate_authority(boost::asio::buffer(identity.client_roots), error);
  if (error) return nullptr;
  context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
  return error ? nullptr : context;
}

Loop::Loop(std::chrono::milliseconds sweep, ConnectionCounters& counters)
    : sweep_(sweep),
      context_(1),
      work_(context_.get_executor()),
      timer_(context_),
      connections_(context_, counters) {
  AwaitSweep();
  thread_ = std::thread([this] { context_.run(); });
}

Loop::~Loop() { Stop(); }

void Loop::Stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
}

void Loop::DrainAll() {
  boost::asio::post(context_, [this] { connections_.Drain(); });
}

void Loop::EndAll(const absl::Status& why) {
  boost::asio::post(context_, [this, why] { connections_.End(why); });
}

void Loop::AbortAll() {
  std::promise<void> aborted;
  boost::asio::post(context_, [this, &aborted] {
    connections_.Abort();
    aborted.set_value();
  });
  aborted.get_future().wait();
}

void Loop::AwaitSweep() {
  timer_.expires_after(sweep_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    connections_.Sweep();
    AwaitSweep();
  });
}

HttpServer::HttpServer(Site site, HttpOptions options)
    : site_(std::move(site)),
      shared_{.options = std::move(options), .dispatch = nullptr},
      slots_(shared_.options.connections_per_address,
             [this](std::string_view ip) { return site_.engine.access->IsProxy(ip); }) {
  site_.options = &shared_.options;
  site_.coded = &coded_texts_;
  shared_.dispatch = [this](const ExchangePointer& exchange) {
    DispatchRequest(site_, gate_, exchange);
  };
  for (int k = 0; k < std::max(1, shared_.options.threads); ++k) {
    loops_.push_back(std::make_unique<Loop>(shared_.options.limits.sweep, *site_.connections));
  }
}

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(Site site, const std::string& address,
                                                              const HttpOptions& options) {
  std::unique_ptr<HttpServer> server;
  try {
    server.reset(new HttpServer(std::move(site), options));
  } catch (const boost::system::system_error& refused) {  // its loops need file descriptors
    return NoListener(options.setting, address, refused.code());
  }
  THALWEG_RETURN_IF_ERROR(server->Listen(address));
  boost::asio::post(server->loops_.front()->context(), [self = server.get()] { self->Accept(); });
  return server;
}

absl::Status HttpServer::Listen(const std::string& address) {
  THALWEG_ASSIGN_OR_RETURN(const tcp::endpoint endpoint,
                           EndpointOf(shared_.options.setting, address));
  boost::asio::io_context& context = loops_.front()->context();
  acceptor_ = std::make_unique<tcp::acceptor>(context);
  accept_again_ = std::make_unique<boost::asio::steady_timer>(context);
  error_code error;
  acceptor_->open(endpoint.protocol(), error);
  // After a restart the port's last connections may linger. Two servers still can't share the port.
  if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_->bind(endpoint, error);
  if (!error) acceptor_->listen(4'096, error);
  if (error) return NoListener(shared_.options.setting, address, error);
  port_ = acceptor_->local_endpoint(error).port();
  return absl::OkStatus();
}

void HttpServer::Accept() {
  if (!acceptor_->is_open()) return;
  Loop& loop = *loops_[next_loop_++ % loops_.size()];
  acceptor_->async_accept(loop.context(),
                          [this, &loop](const error_code& error, tcp::socket socket) {
                            if (!acceptor_->is_open()) return;
                            if (error) {
                              if (IsShortOfFiles(error)) MakeRoomForOne();
                              accept_again_->expires_after(kAcceptPause);
                              accept_again_->async_wait([this](const error_code&) { Accept(); });
                              return;
                            }
                            Welcome(std::move(socket), loop);
                            Accept();
                          });
}

void HttpServer::MakeRoomForOne() {
  // The system looks for a free file before it looks for a caller.
  pollfd caller{.fd = acceptor_->native_handle(), .events = POLLIN, .revents = 0};
  if (poll(&caller, 1, 0) <= 0) return;
  Loop& loop = *loops_[next_to_yield_++ % loops_.size()];
  boost::asio::post(loop.context(), [&loop] { loop.connections().MakeRoom({}, true); });
}

void HttpServer::Welcome(tcp::socket socket, Loop& loop) {
  std::shared_ptr<boost::asio::ssl::context> tls = TlsContext();
  if (shared_.options.tls != nullptr && tls == nullptr) return;
  error_code ignored;
  AddressSlots::Slot slot = slots_.Take(socket.remote_endpoint(ignored).address());
  const bool full = connections() >= shared_.options.max_connections;
  boost::asio::post(loop.context(), [this, &loop, full, tls = std::move(tls),
                                     slot = std::move(slot), socket = std::move(socket)]() mutable {
    if (!loop.connections().MakeRoom(slot, full)) return;
    // Checked last, since Drain does not see connections that are added after it.
    if (!gate_.is_open()) return;
    Connection::Create(loop.connections(), shared_, std::move(socket), std::move(tls),
                       std::move(slot))
        ->Start();
  });
}

std::shared_ptr<boost::asio::ssl::context> HttpServer::TlsContext() {
  if (shared_.options.tls == nullptr) return nullptr;
  const auto identity = shared_.options.tls->Get();
  if (identity != identity_) {
    // If OpenSSL refuses the identity, the former context stays.
    if (auto context = MakeTlsContext(*identity)) tls_ = std::move(context);
    identity_ = identity;
  }
  return tls_;
}

void HttpServer::BeginDrain() {
  gate_.Close();
  std::promise<void> closed;
  boost::asio::post(loops_.front()->context(), [this, &closed] {
    error_code ignored;
    acceptor_->close(ignored);
    accept_again_->cancel();
    closed.set_value();
  });
  closed.get_future().wait();
  for (const auto& loop : loops_) loop->DrainAll();
}

bool HttpServer::Drain(std::chrono::steady_clock::time_point deadline) {
  BeginDrain();
  const bool all_finished = gate_.AwaitEmpty(deadline);
  if (!all_finished) {
    for (const auto& loop : loops_) loop->EndAll(Stopped());
    gate_.AwaitEmpty(std::chrono::steady_clock::now() + kLastAnswers);
  }
  for (const auto& loop : loops_) loop->AbortAll();
  gate_.AwaitEmpty(std::chrono::steady_clock::time_point::max());
  return all_finished;
}

HttpServer::~HttpServer() {
  if (acceptor_ != nullptr && acceptor_->is_open()) {
    Drain(std::chrono::steady_clock::time_point::min());
  }
  // The last accepted connection may still be on its way to a loop, and that uses the acceptor.
  for (const auto& loop : loops_) loop->Stop();
  acceptor_.reset();
  accept_again_.reset();
}

}  // namespace thalweg::http
