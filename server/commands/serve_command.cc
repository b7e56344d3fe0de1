#include <pthread.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>

#include "server/commands/commands.h"
#include "server/commands/device_option.h"
#include "server/commands/logging.h"
#include "server/commands/port_file.h"
#include "server/commands/server.h"

namespace thalweg::commands {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// As the command line has them.
struct ServeOptions {
  std::string listen = "127.0.0.1:7070";
  std::string port_file;
  std::string device = "auto";
  std::string worlds;
  std::string log_level = "info";
  unsigned cache_mb = 96;
  std::string disk_cache;
  std::size_t disk_cache_mb = 4096;
  std::string shared_cache;
  unsigned device_mb = 128;
  unsigned scratch_mb = 0;
  int block = 256;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  double drain_s = 30;
  bool skip_check = false;
};

ServerOptions ToServerOptions(const ServeOptions& options) {
  ServerOptions server;
  server.listen = options.listen;
  server.worlds = options.worlds;
  server.backend.device = options.device;
  server.backend.reference_threads = options.threads;
  server.backend.scratch_budget_bytes = options.scratch_mb * kMegabyte;
  server.field.block_cells = options.block;
  server.field.block_budget_bytes = options.device_mb * kMegabyte;
  server.cache_bytes = options.cache_mb * kMegabyte;
  server.stores = {.disk_folder = options.disk_cache,
                   .disk_bytes = options.disk_cache_mb * kMegabyte,
                   .shared_servers = options.shared_cache};
  server.threads = options.threads;
  server.check_device = !options.skip_check;
  return server;
}

// What the ready line calls the server: the host as it was given, the port as it is.
std::string AddressOf(const std::string& listen, int port) {
  return listen.substr(0, listen.rfind(':')) + ":" + std::to_string(port);
}

int Serve(const ServeOptions& options) {
  spdlog::set_level(spdlog::level::from_str(options.log_level));
  // Every thread to come inherits this, so that the signals wait for sigwait alone.
  sigset_t stop_signals;
  sigemptyset(&stop_signals);
  sigaddset(&stop_signals, SIGTERM);
  sigaddset(&stop_signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stop_signals, nullptr);

  const auto server = Server::Start(ToServerOptions(options));
  if (!server.ok()) {
    LogError(server.status());
    return kFailure;
  }
  if (!options.port_file.empty()) {
    const absl::Status written = WritePortFile(options.port_file, (*server)->port());
    if (!written.ok()) {
      LogError(written);
      return kFailure;
    }
  }
  spdlog::info("listening on {}", AddressOf(options.listen, (*server)->port()));

  int signal = 0;
  sigwait(&stop_signals, &signal);
  spdlog::info("stopping; running calls have {} s to finish", options.drain_s);
  // A second signal means it.
  pthread_sigmask(SIG_UNBLOCK, &stop_signals, nullptr);
  const auto patience =
      std::chrono::milliseconds(static_cast<std::int64_t>(options.drain_s * 1000));
  const bool all_finished = (*server)->Drain(patience);
  spdlog::info(all_finished ? "stopped" : "stopped; some calls were cancelled");
  return kSuccess;
}

void AddMemoryOptions(CLI::App& command, ServeOptions& options) {
  command.add_option("--cache-mb", options.cache_mb, "Memory for finished tiles, in MiB")
      ->capture_default_str();
  command
      .add_option("--device-mb", options.device_mb,
                  "Device memory for finished blocks, which finer levels start from, in MiB")
      ->capture_default_str();
  command.add_option("--scratch-mb", options.scratch_mb,
                     "Device memory to compute in, in MiB; 0 lets the device's kind decide");
}

void AddStoreOptions(CLI::App& command, ServeOptions& options) {
  command.add_option("--disk-cache", options.disk_cache,
                     "Folder to keep finished tiles in; none without this option");
  command
      .add_option("--disk-cache-mb", options.disk_cache_mb,
                  "What that folder may take of the disk, in MiB; the oldest tiles make room")
      ->check(CLI::Range(std::size_t{64}, std::size_t{1} << 30))
      ->capture_default_str();
  command.add_option(
      "--shared-cache", options.shared_cache,
      "HOST:PORT[,HOST:PORT...] of memcached servers to share finished tiles through");
}

}  // namespace

void AddServeCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("serve", "Answer calls until SIGTERM or SIGINT");
  const auto options = std::make_shared<ServeOptions>();
  command
      ->add_option("--listen", options->listen, "HOST:PORT to listen on; port 0 picks a free one")
      ->capture_default_str();
  command->add_option("--port-file", options->port_file,
                      "Write the port to this file once the server is ready");
  AddDeviceOption(*command, &options->device);
  command->add_option("--worlds", options->worlds,
                      "Folder of worlds (*.json, *.textproto) to serve beside the presets");
  AddMemoryOptions(*command, *options);
  AddStoreOptions(*command, *options);
  command
      ->add_option("--block", options->block,
                   "Cells in a row of what is computed at once; can't be seen in the terrain")
      ->check(CLI::IsMember({256, 512, 1024}))
      ->capture_default_str();
  command
      ->add_option("--threads", options->threads,
                   "Threads that encode tiles, and that the reference device computes with")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--drain-s", options->drain_s,
                   "Seconds that running calls have to finish once the server is told to stop")
      ->check(CLI::Range(0.0, 86'400.0))
      ->capture_default_str();
  command->add_flag("--skip-check", options->skip_check,
                    "Serve without proving first that the device gives the canonical bits");
  command->add_option("--log-level", options->log_level, "What to log")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->capture_default_str();
  command->callback([options, exit_code] { *exit_code = Serve(*options); });
}

}  // namespace thalweg::commands
