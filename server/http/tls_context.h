// TLS for HTTP's connections.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "server/access/tls_identity.h"

namespace thalweg::http {

// A context that shows an identity, TLS 1.2 or newer; clients must show a certificate if the
// identity has roots for them. Clients may take up their sessions again, for ten minutes and with
// this context alone: its keys are its own, so a session ends with the identity that it began with.
// Null when OpenSSL does not take the identity.
std::shared_ptr<boost::asio::ssl::context> MakeTlsContext(const access::TlsIdentity& identity);

}  // namespace thalweg::http
