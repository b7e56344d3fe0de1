// The HTTP/1.1 server: tiles, worlds and operations, over the same tile service as gRPC.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/access/tls_identity.h"
#include "server/calls/admission.h"
#include "server/http/connection.h"
#include "server/http/connection_set.h"
#include "server/http/http_options.h"
#include "server/http/site.h"

namespace thalweg::http {

// A TLS context for an identity, with TLS 1.2 or newer. Clients must show a certificate if the
// identity has roots for them. Clients may resume sessions for ten minutes, and only with this
// context: it has its own keys, so a session ends with its identity. Null if OpenSSL refuses the
// identity.
std::shared_ptr<boost::asio::ssl::context> MakeTlsContext(const access::TlsIdentity& identity);

// A thread of the server, and its connections. A connection stays on its loop, so it needs no lock.
class Loop {
 public:
  // Starts the thread, which checks the connections' times once in each `sweep`. The counters must
  // outlive the loop.
  Loop(std::chrono::milliseconds sweep, ConnectionCounters& counters);
  // All connections must be gone.
  ~Loop();

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Ends the thread. Must be called by another thread.
  void Stop();

  // Thread-safe.
  boost::asio::io_context& context() { return context_; }
  // Used only by the loop's own thread.
  ConnectionSet& connections() { return connections_; }

  // Thread-safe. Drains every connection.
  void DrainAll();
  // Thread-safe. Ends every connection: requests under way are answered with this error.
  void EndAll(const absl::Status& why);
  // Aborts every connection, and returns when all are gone. Must be called by another thread.
  void AbortAll();

 private:
  void AwaitSweep();

  const std::chrono::milliseconds sweep_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  ConnectionSet connections_;
  std::thread thread_;
};

// Thread-safe. All that the site points to must outlive it.
class HttpServer {
 public:
  // Serves on HOST:PORT; port 0 picks a free one. INVALID_ARGUMENT for an invalid address,
  // UNAVAILABLE if it can't listen there. The server sets the site's options and coded texts to its
  // own.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(Site site, const std::string& address,
                                                           const HttpOptions& options = {});
  // Drains and cancels running requests at once, unless Drain was called.
  ~HttpServer();

  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The port that it listens on.
  int port() const { return port_; }
  // The number of open connections.
  std::size_t connections() const {
    return static_cast<std::size_t>(site_.connections->open.load());
  }

  // The compressed documents.
  const CodedTexts& coded_texts() const { return coded_texts_; }

  // Stops listening and closes idle connections. Running requests may finish.
  void BeginDrain();
  // BeginDrain, and cancels requests that still run at the deadline: they are answered with 503, if
  // their callers read that within a few seconds. Returns when no connection is left: false if some
  // requests were cancelled.
  bool Drain(std::chrono::steady_clock::time_point deadline);

 private:
  // The documents of all presets, in both codings, take a tenth of it.
  static constexpr std::size_t kCodedTextsBytes = std::size_t{4} << 20;

  HttpServer(Site site, HttpOptions options);

  absl::Status Listen(const std::string& address);
  void Accept();
  // If a caller waits that no file descriptor is left for, closes the connection of a loop that has
  // waited longest; each time of another loop. Other parts of the process may have taken the file
  // descriptors, so the number of connections does not tell.
  void MakeRoomForOne();
  void Welcome(boost::asio::ip::tcp::socket socket, Loop& loop);
  // The TLS context of the newest certificate; null for plain connections.
  std::shared_ptr<boost::asio::ssl::context> TlsContext();

  calls::CallGate gate_;
  Site site_;
  Connection::Shared shared_;
  AddressSlots slots_;
  CodedTexts coded_texts_{kCodedTextsBytes};
  int port_ = 0;

  // Used only by the first loop's thread.
  access::TlsIdentitySource::Pointer identity_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::size_t next_loop_ = 0;
  std::size_t next_to_yield_ = 0;

  // Destroyed before the members above, which their connections use.
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<boost::asio::ip::tcp::acceptor> acceptor_;
  std::unique_ptr<boost::asio::steady_timer> accept_again_;
};

}  // namespace thalweg::http
