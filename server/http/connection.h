// One connection: its requests are read, dispatched and answered, one after the other.
#pragma once

#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "server/http/exchange.h"
#include "server/http/http_options.h"

namespace thalweg::http {

// Counts connections by access::PrefixOf their address. Connections from proxies, and from this
// machine, which may be one, are not counted: they carry many callers. Thread-safe. Must outlive
// its slots.
class AddressSlots {
 public:
  // A connection's place among those of its address; given back by the destructor.
  class Slot {
   public:
    // The slot of a connection that is not counted.
    Slot() = default;
    Slot(Slot&& other) noexcept
        : slots_(std::exchange(other.slots_, nullptr)),
          prefix_(std::move(other.prefix_)),
          is_extra_(other.is_extra_) {}
    Slot& operator=(Slot&& other) noexcept;
    ~Slot() { Leave(); }

    const std::string& prefix() const { return prefix_; }
    // Whether the address was already at its limit when this was taken.
    bool is_extra() const { return is_extra_; }

   private:
    friend class AddressSlots;
    Slot(AddressSlots* slots, std::string prefix, bool is_extra)
        : slots_(slots), prefix_(std::move(prefix)), is_extra_(is_extra) {}
    void Leave();

    AddressSlots* slots_ = nullptr;
    std::string prefix_;
    bool is_extra_ = false;
  };

  // Whether an IP address is that of a proxy.
  using IsProxy = std::function<bool(std::string_view ip)>;

  // limit: max connections of each address; 0: no limit.
  explicit AddressSlots(
      std::size_t limit, IsProxy is_proxy = [](std::string_view) { return false; })
      : limit_(limit), is_proxy_(std::move(is_proxy)) {}

  // Takes a slot for one more connection, even beyond the limit.
  Slot Take(const boost::asio::ip::address& address);

 private:
  const std::size_t limit_;
  const IsProxy is_proxy_;
  std::mutex mutex_;
  absl::flat_hash_map<std::string, std::size_t> taken_;
};

// Counters of all HTTP connections.
struct ConnectionCounters {
  // Connections that were accepted, and those that are open now.
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<std::int64_t> open = 0;
  // Connections, new or waiting, that were closed because there were too many: of an address, or of
  // all.
  std::atomic<std::uint64_t> crowded_out = 0;
};

class ConnectionSet;

// Takes a request, and must make sure that it is answered.
using Dispatch = std::function<void(const std::shared_ptr<Exchange>&)>;

// Lives on the thread of its set, and as long as an operation is under way on it. Reads while a
// request is worked on: if the peer closes the connection, the work is cancelled.
class Connection : public Origin {
 public:
  // What all connections of a server share. It must outlive them.
  struct Shared {
    HttpOptions options;
    Dispatch dispatch;
  };
  // The other end of the connection.
  struct Peer {
    boost::asio::ip::tcp::endpoint endpoint;
    AddressSlots::Slot slot;
  };
  using Clock = std::chrono::steady_clock;

  // A connection over a socket of the set's thread; with a context it uses TLS.
  static std::shared_ptr<Connection> Create(ConnectionSet& set, const Shared& shared,
                                            boost::asio::ip::tcp::socket socket,
                                            std::shared_ptr<boost::asio::ssl::context> tls,
                                            AddressSlots::Slot slot);

  virtual void Start() = 0;
  // Acts if a time limit has passed: closes, cancels the work, or refuses a slow request.
  virtual void Sweep(Clock::time_point now) = 0;
  // Answers the request under way and then closes; closes at once if there is none.
  virtual void Drain() = 0;
  // Cancels the request under way with this error, which becomes its answer, and then closes.
  virtual void End(const absl::Status& why) = 0;
  // Cancels the request under way and closes, without an answer.
  virtual void Abort() = 0;
  // Since when it has waited for its peer: for a handshake, a request, or the rest of one. The
  // smallest time after its last answer; the largest time while its peer waits for an answer.
  virtual Clock::time_point waiting_since() const = 0;
  // The address prefix that AddressSlots counts it for; empty if it is not counted.
  virtual std::string_view prefix() const = 0;
};

}  // namespace thalweg::http
