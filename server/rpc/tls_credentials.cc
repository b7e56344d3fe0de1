#include "server/rpc/tls_credentials.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

namespace thalweg::rpc {
namespace {

// gRPC's C++ interface has only experimental credentials with changing certificates, and they
// accept a broken certificate as a new one. The C interface has a callback for every handshake.
class TlsCredentials final : public grpc::ServerCredentials {
 public:
  explicit TlsCredentials(std::shared_ptr<access::TlsIdentitySource> source)
      : source_(std::move(source)),
        request_type_(source_->Get()->client_roots.empty()
                          ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                          : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY) {}

  // The service checks tokens. gRPC calls this only for its own authentication, which is not used.
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {
    std::abort();
  }

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    grpc_server_credentials* const credentials = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(request_type_, &Fetch,
                                                                        this));
    const int port = grpc_server_add_http2_port(server, address.c_str(), credentials);
    grpc_server_credentials_release(credentials);
    return port;
  }

  static grpc_ssl_certificate_config_reload_status Fetch(
      void* self, grpc_ssl_server_certificate_config** config) {
    return static_cast<TlsCredentials*>(self)->FetchIfNew(config);
  }

  grpc_ssl_certificate_config_reload_status FetchIfNew(
      grpc_ssl_server_certificate_config** config) {
    const access::TlsIdentitySource::Pointer identity = source_->Get();
    {
      const std::lock_guard lock(mutex_);
      if (identity == in_use_) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
      in_use_ = identity;
    }
    const grpc_ssl_pem_key_cert_pair pair{identity->private_key.c_str(),
                                          identity->certificate_chain.c_str()};
    // gRPC requires roots even if it asks for no client certificate; then it ignores them.
    const std::string& roots =
        identity->client_roots.empty() ? identity->certificate_chain : identity->client_roots;
    *config = grpc_ssl_server_certificate_config_create(roots.c_str(), &pair, 1);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  const std::shared_ptr<access::TlsIdentitySource> source_;
  const grpc_ssl_client_certificate_request_type request_type_;
  std::mutex mutex_;
  access::TlsIdentitySource::Pointer in_use_;
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> MakeTlsCredentials(
    std::shared_ptr<access::TlsIdentitySource> source) {
  return std::make_shared<TlsCredentials>(std::move(source));
}

}  // namespace thalweg::rpc
