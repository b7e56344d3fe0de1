// The number of connections of each address.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace thalweg::http {

// Counts connections by access::PrefixOf their address. Connections from proxies, and from this
// machine, which may be one, are not counted: they carry many callers. Thread-safe. Must outlive
// its seats.
class AddressSeats {
 public:
  // A connection's place among those of its address; given back by the destructor.
  class Seat {
   public:
    // The seat of a connection that is not counted.
    Seat() = default;
    Seat(Seat&& other) noexcept
        : seats_(std::exchange(other.seats_, nullptr)),
          prefix_(std::move(other.prefix_)),
          is_extra_(other.is_extra_) {}
    Seat& operator=(Seat&& other) noexcept;
    ~Seat() { Leave(); }

    const std::string& prefix() const { return prefix_; }
    // Whether the address was already at its limit when this was taken.
    bool is_extra() const { return is_extra_; }

   private:
    friend class AddressSeats;
    Seat(AddressSeats* seats, std::string prefix, bool is_extra)
        : seats_(seats), prefix_(std::move(prefix)), is_extra_(is_extra) {}
    void Leave();

    AddressSeats* seats_ = nullptr;
    std::string prefix_;
    bool is_extra_ = false;
  };

  // Whether an IP address is that of a proxy.
  using IsProxy = std::function<bool(std::string_view ip)>;

  // limit: max connections of each address; 0: no limit.
  explicit AddressSeats(
      std::size_t limit, IsProxy is_proxy = [](std::string_view) { return false; })
      : limit_(limit), is_proxy_(std::move(is_proxy)) {}

  // Takes a seat for one more connection, even beyond the limit.
  Seat Take(const boost::asio::ip::address& address);

 private:
  const std::size_t limit_;
  const IsProxy is_proxy_;
  std::mutex mutex_;
  absl::flat_hash_map<std::string, std::size_t> taken_;
};

}  // namespace thalweg::http
