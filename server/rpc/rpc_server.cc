#include "server/rpc/rpc_server.h"

#include <fcntl.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/support/time.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <latch>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "server/rpc/terrain_service.h"

namespace thalweg::rpc {
namespace {

// gRPC 1.51 opens five with one listener.
constexpr int kFiles = 8;

// What gRPC 1.51 starts: two executors, two timers, one thread for reflection, those that take
// events and run callbacks, and a few more while it is busy.
int ThreadsOfGrpc() {
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  constexpr int kMore = 4;
  return 5 + kMore + std::clamp(processors, 2, 32) + std::clamp(processors / 2, 2, 16);
}

absl::Status CheckThreads(int count) {
  std::latch end(1);
  std::vector<std::jthread> threads;
  const absl::Cleanup release = [&end] { end.count_down(); };
  try {
    while (static_cast<int>(threads.size()) < count) {
      threads.emplace_back([&end] { end.wait(); });
    }
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("start gRPC: expected ", count, " threads, the system started only ",
                     threads.size(), " (", error.what(),
                     "); raise the limit of processes (ulimit -u, TasksMax) or of memory (ulimit "
                     "-v), or set --threads lower"));
  }
  return absl::OkStatus();
}

absl::Status CheckFiles(int count) {
  std::vector<int> files;
  const absl::Cleanup close_all = [&files] { std::ranges::for_each(files, &close); };
  while (static_cast<int>(files.size()) < count) {
    const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      return absl::ResourceExhaustedError(
          absl::StrCat("start gRPC: expected ", count, " files, the system opened only ",
                       files.size(), " (", std::generic_category().message(errno),
                       "); raise the limit of open files (ulimit -n, LimitNOFILE)"));
    }
    files.push_back(file);
  }
  return absl::OkStatus();
}

// TLS with a certificate that may change while the server runs. gRPC's C++ interface has only
// experimental credentials with changing certificates, and they accept a broken certificate as a
// new one. The C interface has a callback for every handshake.
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

// Credentials that ask the source at every handshake. New connections get its newest certificate;
// old ones continue. Clients must show a certificate if the first identity has roots for them. The
// credentials must outlive the server that listens with them.
std::shared_ptr<grpc::ServerCredentials> MakeTlsCredentials(
    std::shared_ptr<access::TlsIdentitySource> source) {
  return std::make_shared<TlsCredentials>(std::move(source));
}

// The time for answers that are already written to reach their callers.
constexpr std::chrono::milliseconds kFlushTime{200};
// A connection that sends pings more often is closed. Clients may ping every 5 s: a little sooner,
// since networks delay some pings more than others.
constexpr std::chrono::seconds kMinPingInterval{4};

// Only reflection's calls hold a thread each, for as long as they last. Calls beyond this number
// are refused.
constexpr int kMaxThreads = 32;

// Both are switches for the whole process, and affect servers that are built later.
void EnablePlugins() {
  static std::once_flag once;
  std::call_once(once, [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
}

// Calls that last for hours do not check access again. So this does, that they end when their token
// is removed. Ends with the timer.
void RefreshEvery(std::chrono::milliseconds interval, access::AccessControl* access,
                  sharing::Timer& timer) {
  timer.Post(std::chrono::steady_clock::now() + interval, [interval, access, &timer] {
    access->Refresh();
    RefreshEvery(interval, access, timer);
  });
}

// A time to come, as gRPC's, by the clock that nobody sets.
gpr_timespec SteadyIn(std::chrono::nanoseconds time) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_nanos(time.count(), GPR_TIMESPAN));
}

int Milliseconds(std::chrono::seconds time) {
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  return time.count() == 0 ? static_cast<int>(kMax)
                           : static_cast<int>(std::min(time.count() * 1'000, kMax));
}

// gRPC inflates a whole message before it checks the size and before the caller is known: a request
// of a megabyte could take a gigabyte. The first setting refuses compressed requests as
// UNIMPLEMENTED; the second one makes sure that they are not inflated before that.
void RefuseCompression(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
                             1 << GRPC_COMPRESS_NONE);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
}

void BoundResources(grpc::ServerBuilder& builder, const RpcOptions& options) {
  grpc::ResourceQuota quota("thalweg");
  if (options.max_memory_bytes > 0) quota.Resize(options.max_memory_bytes);
  quota.SetMaxThreads(kMaxThreads);
  builder.SetResourceQuota(quota);
}

void Guard(grpc::ServerBuilder& builder, const RpcOptions& options) {
  RefuseCompression(builder);
  BoundResources(builder, options);
  builder.SetMaxReceiveMessageSize(options.limits.max_request_bytes);
  // Requests are small. A growing receive window would only help callers to fill the memory.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             options.limits.max_calls_per_connection);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(options.limits.keepalive));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             Milliseconds(options.limits.keepalive_timeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             Milliseconds(kMinPingInterval));
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             Milliseconds(options.limits.handshake_timeout));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                             Milliseconds(options.limits.max_connection_idle));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS,
                             Milliseconds(options.max_connection_age));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS,
                             Milliseconds(options.limits.connection_grace));
  // Else two servers could listen on one port, and each would get some of the calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

}  // namespace

absl::Status CheckRoomToStart() {
  absl::Status files = CheckFiles(kFiles);
  return files.ok() ? CheckThreads(ThreadsOfGrpc()) : files;
}

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::Start(const calls::Engine& engine,
                                                            const std::string& address,
                                                            const RpcOptions& options) {
  THALWEG_RETURN_IF_ERROR(CheckRoomToStart());
  EnablePlugins();
  std::unique_ptr<RpcServer> server(new RpcServer());
  server->service_ = std::make_unique<TerrainService>(engine, &server->gate_, options.session_bytes,
                                                      options.limits.end_patience);
  server->credentials_ =
      options.tls == nullptr ? grpc::InsecureServerCredentials() : MakeTlsCredentials(options.tls);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, server->credentials_, &server->port_);
  builder.RegisterService(server->service_.get());
  Guard(builder, options);
  server->server_ = builder.BuildAndStart();
  if (server->server_ == nullptr || server->port_ == 0) {
    return absl::UnavailableError(absl::StrCat(
        "listen on ", address, ": it is not a HOST:PORT of this machine, or it is in use"));
  }
  if (options.access_interval.count() > 0) {
    server->access_watch_ = std::make_unique<sharing::TimerThreads>(1);
    RefreshEvery(options.access_interval, engine.access, *server->access_watch_);
  }
  // The empty name stands for the whole server; the plugin knows each service by its name.
  server->server_->GetHealthCheckService()->SetServingStatus(true);
  server->server_->GetHealthCheckService()->SetServingStatus(
      v1::TerrainService::service_full_name(), true);
  return server;
}

RpcServer::~RpcServer() {
  if (server_ != nullptr) Drain(std::chrono::milliseconds(0));
}

bool RpcServer::Drain(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + patience;
  gate_.Close();
  server_->GetHealthCheckService()->SetServingStatus(false);
  const bool all_finished = gate_.AwaitEmpty(deadline);
  // Cancels the calls that are left, including those that watch the health.
  server_->Shutdown(SteadyIn(std::max<Clock::duration>(deadline - Clock::now(), kFlushTime)));
  server_->Wait();
  gate_.AwaitEmpty(Clock::time_point::max());
  return all_finished;
}

}  // namespace thalweg::rpc
