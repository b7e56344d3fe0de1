#include "server/http/address_seats.h"

#include "server/access/trusted_proxies.h"

namespace thalweg::http {
namespace {

namespace ip = boost::asio::ip;

bool IsLoopback(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.is_loopback();
  return ip::make_address_v4(ip::v4_mapped, address.to_v6()).is_loopback();
}

}  // namespace

AddressSeats::Seat& AddressSeats::Seat::operator=(Seat&& other) noexcept {
  if (this == &other) return *this;
  Leave();
  seats_ = std::exchange(other.seats_, nullptr);
  prefix_ = std::move(other.prefix_);
  is_extra_ = other.is_extra_;
  return *this;
}

void AddressSeats::Seat::Leave() {
  if (seats_ == nullptr) return;
  const std::lock_guard lock(seats_->mutex_);
  const auto taken = seats_->taken_.find(prefix_);
  if (--taken->second == 0) seats_->taken_.erase(taken);
  seats_ = nullptr;
}

AddressSeats::Seat AddressSeats::Take(const ip::address& address) {
  if (limit_ == 0 || IsLoopback(address)) return {};
  const std::string ip = address.to_string();
  if (is_proxy_(ip)) return {};
  std::string prefix = access::PrefixOf(ip);
  const std::lock_guard lock(mutex_);
  const std::size_t taken = ++taken_[prefix];
  return {this, std::move(prefix), taken > limit_};
}

}  // namespace thalweg::http
