// One connection: requests read, handed on and answered, one after the other.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "server/http/address_seats.h"
#include "server/http/exchange.h"
#include "server/http/http_options.h"

namespace thalweg::http {

class ConnectionSet;

// Takes a request, and must get it answered.
using Dispatch = std::function<void(const std::shared_ptr<Exchange>&)>;

// Lives on its set's thread, and as long as something is under way on it. Reads while a request is
// worked on: if the peer closes, the work is cancelled.
class Connection : public Origin {
 public:
  // What all connections of a server share; it outlives them.
  struct Shared {
    HttpOptions options;
    Dispatch dispatch;
  };
  // Who is at the other end.
  struct Peer {
    boost::asio::ip::tcp::endpoint endpoint;
    AddressSeats::Seat seat;
  };
  using Clock = std::chrono::steady_clock;

  // Over a socket of the set's thread; a context makes it TLS.
  static std::shared_ptr<Connection> Create(ConnectionSet& set, const Shared& shared,
                                            boost::asio::ip::tcp::socket socket,
                                            std::shared_ptr<boost::asio::ssl::context> tls,
                                            AddressSeats::Seat seat);

  virtual void Start() = 0;
  // Acts if a time has run out: closes, cancels the work, or answers that a request took too long.
  virtual void Sweep(Clock::time_point now) = 0;
  // Answers what is under way and then closes; closes at once when nothing is.
  virtual void Drain() = 0;
  // Cancels what is under way and closes.
  virtual void Abort() = 0;
  // Since when it has waited for its peer: for a handshake, a request, or the rest of one. The
  // smallest time after its last answer; the largest while its peer waits for an answer.
  virtual Clock::time_point waiting_since() const = 0;
  // The prefix that AddressSeats counts it for; empty if it is not counted.
  virtual std::string_view prefix() const = 0;
};

}  // namespace thalweg::http
