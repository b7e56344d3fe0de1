// TLS for HTTP's connections.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "server/access/tls_identity.h"

namespace thalweg::http {

// A context for an identity, with TLS 1.2 or newer. Clients must show a certificate if the identity
// has roots for them. Clients may resume sessions for ten minutes, and only with this context: it
// has its own keys, so a session ends with its identity. Null if OpenSSL refuses the identity.
std::shared_ptr<boost::asio::ssl::context> MakeTlsContext(const access::TlsIdentity& identity);

}  // namespace thalweg::http
