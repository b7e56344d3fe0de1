// TLS with a certificate that may change while the server runs.
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "server/access/tls_identity.h"

namespace thalweg::rpc {

// Credentials that ask the source at every handshake. New connections get its newest certificate;
// old ones continue. Clients must show a certificate if the first identity has roots for them. The
// credentials must outlive the server that listens with them.
std::shared_ptr<grpc::ServerCredentials> MakeTlsCredentials(
    std::shared_ptr<access::TlsIdentitySource> source);

}  // namespace thalweg::rpc
