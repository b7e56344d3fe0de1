#include "client/src/connection/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/client_interceptor.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "proto/wire/host_port.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;

// Adds the token to a call. gRPC's call credentials would do the same, but not on plain channels.
class TokenInterceptor final : public grpc::experimental::Interceptor {
 public:
  explicit TokenInterceptor(std::string authorization) : authorization_(std::move(authorization)) {}

  void Intercept(InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->emplace("authorization", authorization_);
    }
    methods->Proceed();
  }

 private:
  const std::string authorization_;
};

class TokenInterceptors final : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  explicit TokenInterceptors(const std::string& token)
      : authorization_(absl::StrCat("Bearer ", token)) {}

  grpc::experimental::Interceptor* CreateClientInterceptor(
      grpc::experimental::ClientRpcInfo*) override {
    return new TokenInterceptor(authorization_);
  }

 private:
  const std::string authorization_;
};

// Leaves room for the rest of a call's metadata within gRPC's limit.
constexpr std::size_t kMaxTokenBytes = 4'096;
// About a hundred certificates.
constexpr std::size_t kMaxPemBytes = std::size_t{1} << 20;

// OK if the text is empty or PEM text of this kind. Errors do not show the text: it may be a key.
absl::Status CheckPem(const char* what, const std::string& text, const char* kind) {
  if (text.empty()) return absl::OkStatus();
  if (text.size() > kMaxPemBytes) {
    return wire::Invalid(what, absl::StrCat("max ", kMaxPemBytes, " bytes"), text.size());
  }
  const std::size_t begin = text.find("-----BEGIN ");
  if (begin != std::string::npos &&
      text.find(absl::StrCat(kind, "-----"), begin) != std::string::npos) {
    return absl::OkStatus();
  }
  return wire::Invalid(what, absl::StrCat("a PEM text with a ", kind),
                       absl::StrCat(text.size(), " bytes without"));
}

absl::Status CheckTls(const TlsOptions& tls) {
  if (tls.certificate.empty() != tls.key.empty()) {
    return wire::Invalid("certificate", "a certificate and its key, or neither",
                         "only one of them");
  }
  THALWEG_RETURN_IF_ERROR(CheckPem("root certificates", tls.root_certificates, "CERTIFICATE"));
  THALWEG_RETURN_IF_ERROR(CheckPem("certificate", tls.certificate, "CERTIFICATE"));
  return CheckPem("key", tls.key, "PRIVATE KEY");
}

absl::Status CheckOptions(const std::string& address, const ChannelOptions& options) {
  if (options.tls) THALWEG_RETURN_IF_ERROR(CheckTls(*options.tls));
  const bool visible = std::all_of(options.token.begin(), options.token.end(),
                                   [](char c) { return c > ' ' && c < '\x7f'; });
  if (!visible) {
    return wire::Invalid("token", "printable ASCII without blanks", "other characters");
  }
  if (options.token.size() > kMaxTokenBytes) {
    return wire::Invalid("token", absl::StrCat("max ", kMaxTokenBytes, " bytes"),
                         options.token.size());
  }
  if (!options.token.empty() && !options.tls && !options.token_in_clear &&
      !wire::IsLoopback(address)) {
    return wire::Invalid("token", "TLS to another machine",
                         "a connection in clear: use TLS, or set token_in_clear");
  }
  return absl::OkStatus();
}

std::shared_ptr<grpc::ChannelCredentials> CredentialsOf(const std::optional<TlsOptions>& tls) {
  if (!tls) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = tls->root_certificates;
  options.pem_cert_chain = tls->certificate;
  options.pem_private_key = tls->key;
  return grpc::SslCredentials(options);
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::Channel>> MakeChannel(const std::string& address,
                                                           const ChannelOptions& options,
                                                           grpc::ChannelArguments arguments) {
  const absl::Status checked = CheckOptions(address, options);
  if (!checked.ok()) {
    return absl::Status(checked.code(),
                        absl::StrCat("connect to ", address, ": ", checked.message()));
  }
  if (options.tls && !options.tls->server_name.empty()) {
    arguments.SetSslTargetNameOverride(options.tls->server_name);
  }
  std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> interceptors;
  if (!options.token.empty()) {
    interceptors.push_back(std::make_unique<TokenInterceptors>(options.token));
  }
  return grpc::experimental::CreateCustomChannelWithInterceptors(
      address, CredentialsOf(options.tls), arguments, std::move(interceptors));
}

}  // namespace thalweg
