#include <pthread.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "proto/wire/host_port.h"
#include "server/commands/commands.h"
#include "server/commands/config_flags.h"
#include "server/commands/logging.h"
#include "server/commands/port_file.h"
#include "server/commands/server.h"

namespace thalweg::commands {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

int ThreadsOf(const ServerConfig& config) {
  if (config.threads() > 0) return static_cast<int>(config.threads());
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

rpc::RpcOptions ToRpcOptions(const ServerConfig& config) {
  using std::chrono::seconds;
  rpc::RpcOptions options;
  options.reflection = !config.no_reflection();
  options.max_memory_bytes = config.rpc_memory_mb() * kMegabyte;
  options.session_bytes = config.session_memory_mb() * kMegabyte;
  options.keepalive = seconds(config.keepalive_s());
  options.keepalive_timeout = seconds(config.keepalive_timeout_s());
  options.max_connection_age = seconds(config.max_connection_age_s());
  return options;
}

http::HttpOptions ToHttpOptions(const ServerConfig& config) {
  http::HttpOptions options;
  options.max_connections = config.http_connections();
  options.connections_per_address = config.http_connections_per_address();
  options.public_url = config.http_url();
  options.examples = config.examples();
  return options;
}

// Raises the limit of file descriptors, which connections need: the system's default is low.
void AllowFileDescriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The configuration must have passed CheckConfig.
ServerOptions ToServerOptions(const ServerConfig& config) {
  ServerOptions server;
  server.listen = config.listen();
  server.metrics_listen = config.metrics_listen();
  server.http_listen = config.http();
  server.http = ToHttpOptions(config);
  server.raster_cache_bytes = config.raster_cache_mb() * kMegabyte;
  server.worlds = config.worlds();
  server.max_created_worlds = config.max_created_worlds();
  server.tokens = config.tokens();
  server.anonymous_scopes = *AnonymousScopesOf(config);
  server.access = {.limits = {.max_calls = config.max_calls_per_caller(),
                              .max_streams = config.max_streams_per_caller()},
                   .proxies = *TrustedProxiesOf(config)};
  server.tls = {.certificate = config.tls_cert(),
                .key = config.tls_key(),
                .client_ca = config.tls_client_ca()};
  server.rpc = ToRpcOptions(config);
  server.backend.device = config.device();
  server.backend.reference_threads = ThreadsOf(config);
  server.backend.scratch_budget_bytes = config.scratch_mb() * kMegabyte;
  server.field.block_cells = static_cast<int>(config.block());
  server.field.block_budget_bytes = config.device_mb() * kMegabyte;
  server.cache_bytes = config.cache_mb() * kMegabyte;
  server.stores = {.disk_folder = config.disk_cache(),
                   .disk_bytes = std::size_t{config.disk_cache_mb()} * kMegabyte,
                   .shared_servers = config.shared_cache(),
                   .shared_key_file = config.shared_cache_key_file()};
  server.threads = ThreadsOf(config);
  server.check_device = !config.skip_check();
  return server;
}

// Warns about settings that are allowed but risky.
void WarnOfOpenDoor(const ServerConfig& config, const std::string& address) {
  if (config.tls_cert().empty()) {
    spdlog::warn("connections to {} are not encrypted", address);
  }
  if (config.tokens().empty()) {
    const bool asks = !config.tls_client_ca().empty();
    spdlog::warn("without tokens, anyone who can reach {}{} has these scopes: {}", address,
                 asks ? " with a certificate" : "", AnonymousScopesOf(config)->List());
  }
}

void WarnOfOpenDoors(const ServerConfig& config) {
  if (!config.metrics_listen().empty() && !wire::IsLoopback(config.metrics_listen())) {
    spdlog::warn("anyone who can reach {} can read the metrics", config.metrics_listen());
  }
  for (const std::string& address : {config.listen(), config.http()}) {
    if (!address.empty() && !wire::IsLoopback(address)) WarnOfOpenDoor(config, address);
  }
}

int Serve(const ConfigFlags& flags) {
  const auto config = EffectiveConfig(flags);
  if (!config.ok()) {
    LogError(config.status());
    return kFailure;
  }
  spdlog::set_level(spdlog::level::from_str(config->log_level()));
  WarnOfOpenDoors(*config);
  // Later threads inherit this mask, so only sigwait gets the signals.
  sigset_t stop_signals;
  sigemptyset(&stop_signals);
  sigaddset(&stop_signals, SIGTERM);
  sigaddset(&stop_signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stop_signals, nullptr);

  AllowFileDescriptors();
  const auto server = Server::Start(ToServerOptions(*config));
  if (!server.ok()) {
    LogError(server.status());
    return kFailure;
  }
  for (const auto& [file, port] : {std::pair(config->port_file(), (*server)->port()),
                                   std::pair(config->http_port_file(), (*server)->http_port())}) {
    if (file.empty()) continue;
    const absl::Status written = WritePortFile(file, port);
    if (!written.ok()) {
      LogError(written);
      return kFailure;
    }
  }
  if ((*server)->http_port() != 0) {
    spdlog::info("HTTP on {}", wire::WithPort(config->http(), (*server)->http_port()));
  }
  if (!(*server)->metrics_address().empty()) {
    spdlog::info("metrics on http://{}/metrics", (*server)->metrics_address());
  }
  spdlog::info("listening on {}", wire::WithPort(config->listen(), (*server)->port()));

  int signal = 0;
  sigwait(&stop_signals, &signal);
  spdlog::info("stopping; running calls have {} s to finish", config->drain_s());
  // Now a second signal ends the process at once.
  pthread_sigmask(SIG_UNBLOCK, &stop_signals, nullptr);
  const auto patience =
      std::chrono::milliseconds(static_cast<std::int64_t>(config->drain_s() * 1000));
  const bool all_finished = (*server)->Drain(patience);
  spdlog::info(all_finished ? "stopped" : "stopped; some calls were cancelled");
  return kSuccess;
}

}  // namespace

void AddServeCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "serve", "Run the server: gRPC, and HTTP with --http, until SIGTERM or SIGINT");
  const auto flags = AddConfigFlags(*command);
  command->footer(
      "Example: thalwegd serve --http 127.0.0.1:8080, then open http://127.0.0.1:8080/ in a "
      "browser.");
  command->callback([flags, exit_code] { *exit_code = Serve(*flags); });
}

}  // namespace thalweg::commands
