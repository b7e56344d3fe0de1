#include "server/http/connection.h"

#include <utility>

#include "server/http/stream_connection.h"
#include "server/http/transport.h"

namespace thalweg::http {

std::shared_ptr<Connection> Connection::Create(ConnectionSet& set, const Shared& shared,
                                               boost::asio::ip::tcp::socket socket,
                                               std::shared_ptr<boost::asio::ssl::context> tls,
                                               AddressSeats::Seat seat) {
  boost::system::error_code ignored;
  socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  Peer peer{socket.remote_endpoint(ignored), std::move(seat)};
  if (tls == nullptr) {
    return std::make_shared<StreamConnection<PlainTransport>>(
        set, shared, PlainTransport(std::move(socket)), std::move(peer));
  }
  return std::make_shared<StreamConnection<TlsTransport>>(
      set, shared, TlsTransport(std::move(socket), std::move(tls)), std::move(peer));
}

}  // namespace thalweg::http
