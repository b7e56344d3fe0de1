// TLS for HTTP's connections.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "server/access/tls_identity.h"

namespace thalweg::http {

// A context that shows an identity, TLS 1.2 or newer; clients must show a certificate if the
// identity has roots for them. Clients may resume sessions for ten minutes and only with this
// context: it has keys of its own, so a session ends with its identity. Null when OpenSSL refuses
// the identity.
std::shared_ptr<boost::asio::ssl::context> MakeTlsContext(const access::TlsIdentity& identity);

}  // namespace thalweg::http
