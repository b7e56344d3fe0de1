#include "client/src/connection/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/client_interceptor.h>

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/src/connection/transport.h"
#include "proto/wire/host_port.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "thalweg/health.h"

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
    return absl::InvalidArgumentError(tls.key.empty()
                                          ? "a certificate needs its key, which is missing"
                                          : "a key needs its certificate, which is missing");
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
    // Not quoted: it is a secret.
    return absl::InvalidArgumentError(
        "the token has a blank, or a character that is not printable ASCII");
  }
  if (options.token.size() > kMaxTokenBytes) {
    return wire::Invalid("token", absl::StrCat("max ", kMaxTokenBytes, " bytes"),
                         options.token.size());
  }
  if (!options.token.empty() && !options.tls && !options.token_in_clear &&
      !wire::IsLoopback(address)) {
    return absl::InvalidArgumentError(
        "the token would go to another machine unencrypted: use TLS, or set token_in_clear");
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

// gRPC's packages have no health.proto. The empty message asks for the health of the whole server;
// this is the answer {status: SERVING}, whose only field is the enumerator 1.
constexpr std::string_view kServing = "\x08\x01";

std::string Join(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Valid() || !buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

}  // namespace

SessionStream::SessionStream(v1::TerrainService::Stub& stub,
                             std::unique_ptr<grpc::ClientContext> context)
    : context_(std::move(context)), stream_(stub.Session(context_.get())) {}

bool SessionStream::Read(v1::SessionResponse& response) { return stream_->Read(&response); }

bool SessionStream::Write(const v1::SessionRequest& request) { return stream_->Write(request); }

void SessionStream::Cancel() { context_->TryCancel(); }

absl::Status SessionStream::Finish() { return FromGrpc(stream_->Finish()); }

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

const char* HintOfHttp(const std::string& reason) {
  // gRPC's words for a server that answers with HTTP/1.
  if (!absl::StrContains(reason, "an http1.x server")) return "";
  return "; this port is for HTTP: gRPC listens on the port of thalwegd's --listen, by default "
         "7070";
}

absl::Status CheckHealth(std::string_view address, std::chrono::milliseconds timeout,
                         const std::optional<TlsOptions>& tls) {
  const std::string target(address);
  grpc::ChannelArguments arguments;
  // The check is about this server, not about a proxy in front of it.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  THALWEG_ASSIGN_OR_RETURN(auto channel, MakeChannel(target, {.tls = tls, .token = ""}, arguments));
  grpc::GenericStub stub(std::move(channel));

  grpc::ClientContext context;
  context.set_deadline(DeadlineAfter(timeout));
  const grpc::Slice nothing;
  const grpc::ByteBuffer request(&nothing, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> done;
  stub.UnaryCall(&context, "/grpc.health.v1.Health/Check", grpc::StubOptions(), &request, &response,
                 [&done](grpc::Status status) { done.set_value(std::move(status)); });
  const absl::Status status = FromGrpc(done.get_future().get());
  if (!status.ok()) {
    const std::string reason(status.message());
    return absl::Status(status.code(), absl::StrCat("check the health of ", target, ": ", reason,
                                                    HintOfHttp(reason)));
  }
  if (Join(response) != kServing) {
    return absl::UnavailableError(
        absl::StrCat("check the health of ", target, ": it takes no calls now; is it stopping?"));
  }
  return absl::OkStatus();
}

}  // namespace thalweg
