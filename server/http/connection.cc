#include "server/http/connection.h"

#include <boost/asio/ssl/stream.hpp>

#include "server/access/trusted_proxies.h"
#include "server/http/stream_connection.h"

namespace thalweg::http {
namespace {

namespace ip = boost::asio::ip;

bool IsLoopback(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.is_loopback();
  return ip::make_address_v4(ip::v4_mapped, address.to_v6()).is_loopback();
}

// The transport of a connection's bytes: TCP, or TLS over TCP. Tests have one in memory.

class PlainTransport {
 public:
  static constexpr bool kEncrypted = false;

  explicit PlainTransport(boost::asio::ip::tcp::socket socket) : stream_(std::move(socket)) {}

  auto& stream() { return stream_; }
  // Calls `then`, with an error or none, when bytes can be read and written.
  template <typename Then>
  void Open(const Then& then) {
    then(boost::system::error_code());
  }
  // Ends writing. Calls `then` if the peer's remaining bytes need not be read.
  template <typename Then>
  void Finish(const Then&) {
    boost::system::error_code ignored;
    stream_.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  }
  void Close() {
    boost::system::error_code ignored;
    stream_.close(ignored);
  }

 private:
  boost::asio::ip::tcp::socket stream_;
};

class TlsTransport {
 public:
  static constexpr bool kEncrypted = true;

  TlsTransport(boost::asio::ip::tcp::socket socket,
               std::shared_ptr<boost::asio::ssl::context> context)
      : context_(std::move(context)), stream_(std::move(socket), *context_) {}

  auto& stream() { return stream_; }
  template <typename Then>
  void Open(Then then) {
    stream_.async_handshake(boost::asio::ssl::stream_base::server, std::move(then));
  }
  // TLS reports itself when both sides have ended.
  template <typename Then>
  void Finish(Then then) {
    stream_.async_shutdown([then = std::move(then)](const boost::system::error_code&) { then(); });
  }
  void Close() {
    boost::system::error_code ignored;
    stream_.lowest_layer().close(ignored);
  }

 private:
  // Declared before the stream, which uses it.
  std::shared_ptr<boost::asio::ssl::context> context_;
  boost::asio::ssl::stream<boost::asio::ip::tcp::socket> stream_;
};

}  // namespace

AddressSlots::Slot& AddressSlots::Slot::operator=(Slot&& other) noexcept {
  if (this == &other) return *this;
  Leave();
  slots_ = std::exchange(other.slots_, nullptr);
  prefix_ = std::move(other.prefix_);
  is_extra_ = other.is_extra_;
  return *this;
}

void AddressSlots::Slot::Leave() {
  if (slots_ == nullptr) return;
  const std::lock_guard lock(slots_->mutex_);
  const auto taken = slots_->taken_.find(prefix_);
  if (--taken->second == 0) slots_->taken_.erase(taken);
  slots_ = nullptr;
}

AddressSlots::Slot AddressSlots::Take(const ip::address& address) {
  if (limit_ == 0 || IsLoopback(address)) return {};
  const std::string ip = address.to_string();
  if (is_proxy_(ip)) return {};
  std::string prefix = access::PrefixOf(ip);
  const std::lock_guard lock(mutex_);
  const std::size_t taken = ++taken_[prefix];
  return {this, std::move(prefix), taken > limit_};
}

std::shared_ptr<Connection> Connection::Create(ConnectionSet& set, const Shared& shared,
                                               boost::asio::ip::tcp::socket socket,
                                               std::shared_ptr<boost::asio::ssl::context> tls,
                                               AddressSlots::Slot slot) {
  boost::system::error_code ignored;
  socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  Peer peer{socket.remote_endpoint(ignored), std::move(slot)};
  if (tls == nullptr) {
    return std::make_shared<StreamConnection<PlainTransport>>(
        set, shared, PlainTransport(std::move(socket)), std::move(peer));
  }
  return std::make_shared<StreamConnection<TlsTransport>>(
      set, shared, TlsTransport(std::move(socket), std::move(tls)), std::move(peer));
}

}  // namespace thalweg::http
