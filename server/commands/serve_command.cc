#include <malloc.h>
#include <pthread.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <string>
#include <utility>

#include "proto/wire/host_port.h"
#include "server/commands/commands.h"
#include "server/commands/config_flags.h"
#include "server/commands/logging.h"
#include "server/commands/server.h"

namespace thalweg::commands {
namespace {

// Raises the limit of file descriptors, which connections need: the system's default is low.
void AllowFileDescriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Bounds how many heaps the allocator makes for threads. By default there are eight for each
// processor, and each keeps what was freed in it: a tile is made on one thread and freed on
// another. Must be called before other threads begin.
void BoundHeaps() {
  constexpr int kHeaps = 4;
  mallopt(M_ARENA_MAX, kHeaps);
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

// Blocks signals for this thread and for later ones, which inherit that: only sigwait gets them.
sigset_t Block(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

// Waits for SIGTERM or SIGINT. At SIGHUP the server looks at its files.
void AwaitStop(const sigset_t& signals, const ServerConfig& config, Server& server) {
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && signal == SIGHUP) {
    const bool files = !config.tokens().empty() || !config.tls_cert().empty();
    spdlog::info(files ? "SIGHUP: checking the files of tokens and certificates"
                       : "SIGHUP: the server has no files of tokens or certificates to check");
    server.LookAtFiles();
  }
}

int Serve(const ConfigFlags& flags) {
  BoundHeaps();
  const auto config = EffectiveConfig(flags);
  if (!config.ok()) {
    LogError(config.status());
    return kFailure;
  }
  spdlog::set_level(spdlog::level::from_str(config->log_level()));
  WarnOfOpenDoors(*config);
  const sigset_t signals = Block({SIGTERM, SIGINT, SIGHUP});

  AllowFileDescriptors();
  const auto server = Server::Start(*config);
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

  AwaitStop(signals, *config, **server);
  spdlog::info("stopping; running calls have {} s to finish", config->drain_s());
  // Now a second signal ends the process at once, unless it is SIGHUP.
  sigset_t stop_signals = signals;
  sigdelset(&stop_signals, SIGHUP);
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
      "browser.\n"
      "SIGHUP: check the files of tokens and certificates now. SIGTERM, SIGINT: finish running "
      "calls, within --drain-s, and stop; a second one stops at once.");
  command->callback([flags, exit_code] { *exit_code = Serve(*flags); });
}

}  // namespace thalweg::commands
