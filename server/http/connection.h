// One connection: requests read, handed on and answered, one after the other.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "server/http/exchange.h"
#include "server/http/http_options.h"

namespace thalweg::http {

class Loop;

// Takes a request; must see to it that it is answered.
using Dispatch = std::function<void(const std::shared_ptr<Exchange>&)>;

// Lives on its loop's thread, and as long as something is under way on it. While a request is
// worked on it listens: who goes away has their work cancelled.
class Connection : public Origin {
 public:
  // What all connections of a server share; it outlives them.
  struct Shared {
    HttpOptions options;
    Dispatch dispatch;
  };
  using Clock = std::chrono::steady_clock;

  // Over a socket of the loop's; a context makes it TLS.
  static std::shared_ptr<Connection> Create(Loop& loop, const Shared& shared,
                                            boost::asio::ip::tcp::socket socket,
                                            std::shared_ptr<boost::asio::ssl::context> tls);

  virtual void Start() = 0;
  // Acts if a time has run out: closes, cancels the work, or says that a request took too long.
  virtual void Sweep(Clock::time_point now) = 0;
  // Answers what is under way and then closes; closes at once when nothing is.
  virtual void Drain() = 0;
  // Cancels what is under way and closes.
  virtual void Abort() = 0;
  // Since when it is between two requests; the largest time when it is not.
  virtual Clock::time_point idle_since() const = 0;
};

}  // namespace thalweg::http
