#include "server/commands/server.h"

#include <malloc.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/host_port.h"
#include "proto/wire/status_macros.h"
#include "server/cache/disk/disk_cache.h"
#include "server/cache/key_file.h"
#include "server/cache/shared/shared_cache.h"
#include "server/commands/device_option.h"
#include "server/field/field.h"
#include "server/metrics/server_families.h"
#include "server/selftest/suite.h"
#include "server/tile/check_tile.h"

namespace thalweg::commands {
namespace {

// Opens the disk cache and the shared cache.

void LogHealth(const std::string& name, const absl::Status& health) {
  if (health.ok()) {
    spdlog::info("{}: works again", name);
  } else {
    spdlog::warn("{}", std::string(health.message()));
  }
}

std::unique_ptr<cache::BackgroundStore> InBackground(std::unique_ptr<cache::TileStore> store,
                                                     std::string level) {
  cache::BackgroundStoreOptions options;
  options.level = std::move(level);
  options.check = tile::CheckTile;
  options.on_health = LogHealth;
  return std::make_unique<cache::BackgroundStore>(std::move(store), std::move(options));
}

absl::StatusOr<std::unique_ptr<cache::TileStore>> OpenDisk(const ServerConfig& config) {
  THALWEG_ASSIGN_OR_RETURN(
      auto disk, cache::DiskCache::Open(
                     {.folder = config.disk_cache(),
                      .budget_bytes = std::size_t{config.disk_cache_mb()} << 20,
                      .on_loss = [folder = config.disk_cache()](const std::string& found) {
                        spdlog::warn(
                            "disk cache '{}': starts empty, and its tiles are computed again: "
                            "{}",
                            folder, found);
                      }}));
  spdlog::info("{}: {} of {} MiB", disk->name(), disk->bytes() >> 20, config.disk_cache_mb());
  if (!disk->health().ok()) LogHealth(disk->name(), disk->health());
  return disk;
}

absl::StatusOr<std::unique_ptr<cache::TileStore>> OpenShared(const ServerConfig& config) {
  THALWEG_ASSIGN_OR_RETURN(auto servers, cache::ParseServers(config.shared_cache()));
  absl::StatusOr<cache::MacKeys> keys = cache::ReadKeyFile(config.shared_cache_key_file());
  if (absl::IsNotFound(keys.status())) {
    return absl::NotFoundError(absl::StrCat(
        keys.status().message(), "; make one with `thalwegd cache-key --out ",
        config.shared_cache_key_file(), "`, and copy it to every server that shares tiles"));
  }
  THALWEG_RETURN_IF_ERROR(keys.status());
  return std::make_unique<cache::SharedCache>(std::move(servers), *keys, cache::MemcachedOptions{});
}

// Opens the disk cache, and behind it the shared one; logs when they fail later. Null if neither is
// configured. An error if the folder can't be opened, a key can't be read, or the list of servers
// is invalid.
absl::StatusOr<std::unique_ptr<cache::StoreChain>> OpenStores(const ServerConfig& config) {
  std::vector<std::unique_ptr<cache::BackgroundStore>> stores;
  if (!config.disk_cache().empty()) {
    THALWEG_ASSIGN_OR_RETURN(auto disk, OpenDisk(config));
    stores.push_back(InBackground(std::move(disk), "disk"));
  }
  if (!config.shared_cache().empty()) {
    THALWEG_ASSIGN_OR_RETURN(auto shared, OpenShared(config));
    stores.push_back(InBackground(std::move(shared), "shared"));
    spdlog::info("{}: {}", stores.back()->name(), config.shared_cache());
  }
  if (stores.empty()) return nullptr;
  return std::make_unique<cache::StoreChain>(std::move(stores));
}

// The server's own files and sockets are about 40; the others are gRPC's connections. A proxy has a
// few for each of its workers.
constexpr std::uint64_t kOtherFiles = 256 + kMetricsConnections;

// How often access is checked. The tokens file itself is checked at most once a second.
constexpr std::chrono::milliseconds kAccessInterval{500};
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

absl::StatusOr<std::unique_ptr<world::WorldLibrary>> OpenWorlds(const ServerConfig& config) {
  const world::WorldLibrary::Options limits{.max_created = config.max_created_worlds()};
  const std::string& folder = config.worlds();
  if (folder.empty()) return world::WorldLibrary::OfPresets(limits);
  THALWEG_ASSIGN_OR_RETURN(auto worlds, world::WorldLibrary::Open(folder, limits));
  for (const auto& problem : worlds->problems()) {
    spdlog::warn("{}/{}: {}", folder, problem.file_name, std::string(problem.status.message()));
  }
  return worlds;
}

// Wrong bits are an error. Missing digests prove nothing, and are a warning.
absl::Status CheckDevice(backend::Backend& backend) {
  absl::Status checked = selftest::QuickCheck(backend);
  if (!absl::IsNotFound(checked) && !absl::IsFailedPrecondition(checked)) return checked;
  spdlog::warn("could not check the device's bits: {}", std::string(checked.message()));
  return absl::OkStatus();
}

// Logs when files are read again while the server runs.
access::ReloadOptions LoggedReloads() {
  access::ReloadOptions options;
  options.listener = [](const std::string& file, const absl::Status& outcome) {
    if (outcome.ok()) {
      spdlog::info("read {} again", file);
    } else {
      spdlog::error("{}; the server keeps what it read before", std::string(outcome.message()));
    }
  };
  options.warn = [](const std::string& line) { spdlog::warn("{}", line); };
  return options;
}

absl::StatusOr<std::unique_ptr<access::AccessControl>> OpenAccess(const ServerConfig& config) {
  const access::AccessOptions options{.limits = {.max_calls = config.max_calls_per_caller(),
                                                 .max_streams = SharesOf(config).max_streams},
                                      .proxies = *TrustedProxiesOf(config)};
  if (config.tokens().empty()) {
    return access::AccessControl::OfEveryone(*AnonymousScopesOf(config), options);
  }
  return access::AccessControl::OfFile(config.tokens(), LoggedReloads(), options);
}

// The source of the server's certificate; null if none is configured.
absl::StatusOr<std::shared_ptr<access::TlsIdentitySource>> OpenTls(const ServerConfig& config) {
  if (config.tls_cert().empty()) return nullptr;
  return access::WatchTlsIdentity({.certificate = config.tls_cert(),
                                   .key = config.tls_key(),
                                   .client_ca = config.tls_client_ca()},
                                  LoggedReloads());
}

int ThreadsOf(const ServerConfig& config) {
  if (config.threads() > 0) return static_cast<int>(config.threads());
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Opens the devices. Each must first pass a part of the self-test, unless the check is skipped.
absl::StatusOr<std::vector<std::unique_ptr<backend::Backend>>> OpenDevices(
    const ServerConfig& config) {
  backend::BackendOptions options;
  options.threads = ThreadsOf(config);
  options.vulkan.device = config.device();
  THALWEG_ASSIGN_OR_RETURN(auto backends, OpenBackends(options));
  for (const auto& backend : backends) {
    // The reference makes the digests, so it need not be checked.
    if (config.skip_check() || backend->device_name() == "reference") continue;
    THALWEG_RETURN_IF_ERROR(CheckDevice(*backend));
  }
  return backends;
}

// Whether an address is reached under names of this machine only. A proxy on this machine passes on
// the names that its own callers use.
bool LocalNamesOnly(const ServerConfig& config, const std::string& address) {
  return wire::IsLoopback(address) && config.trusted_proxies().empty();
}

// As many connections of HTTP as the system's limit of files has room for.
std::size_t HttpConnectionsOf(const ServerConfig& config) {
  const std::size_t disk_files =
      config.disk_cache().empty()
          ? 0
          : cache::DiskCache::MaxOpenFiles(std::size_t{config.disk_cache_mb()} * kMegabyte);
  const std::uint64_t max_files = metrics::ReadProcessUse().max_files;
  const std::size_t max = HttpConnectionsWithin(max_files, disk_files);
  if (max < http::kMaxConnections) {
    spdlog::warn(
        "HTTP takes {} connections instead of {}: the system allows {} open files, and gRPC, "
        "metrics and caches need some; raise the limit of open files (ulimit -n, LimitNOFILE)",
        max, http::kMaxConnections, max_files);
  }
  return max;
}

rpc::RpcOptions RpcOptionsOf(const ServerConfig& config) {
  rpc::RpcOptions options;
  options.max_memory_bytes = SharesOf(config).request_bytes;
  options.session_bytes = SharesOf(config).request_bytes;
  options.max_connection_age = std::chrono::seconds(config.max_connection_age_s());
  if (!config.tokens().empty()) options.access_interval = kAccessInterval;
  return options;
}

}  // namespace

Shares SharesOf(const ServerConfig& config) {
  const std::size_t cache = config.cache_mb() * kMegabyte;
  const std::size_t rasters = config.http().empty() ? 0 : cache / 4;
  return {.tile_cache_bytes = cache - rasters,
          .raster_cache_bytes = rasters,
          .request_bytes = config.request_memory_mb() * kMegabyte / 3,
          .max_streams = (config.max_calls_per_caller() + 3) / 4};
}

std::size_t HttpConnectionsWithin(std::uint64_t max_files, std::size_t disk_files) {
  if (max_files == 0) return http::kMaxConnections;
  const std::uint64_t others = kOtherFiles + disk_files;
  // A quarter where the system allows very few.
  const std::uint64_t fit =
      std::max({std::uint64_t{1}, max_files / 4, max_files - std::min(max_files, others)});
  return static_cast<std::size_t>(std::min<std::uint64_t>(http::kMaxConnections, fit));
}

absl::Status WritePortFile(const std::string& path, int port) {
  files::RemoveAbandoned(path);
  absl::Status written = files::WriteWhole(path, absl::StrCat(port, "\n"));
  if (written.ok()) return written;
  return absl::Status(written.code(), absl::StrCat("write port file: ", written.message()));
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerConfig& config) {
  std::unique_ptr<Server> server(new Server());
  // Quick checks come before slow steps.
  THALWEG_ASSIGN_OR_RETURN(server->access_, OpenAccess(config));
  THALWEG_ASSIGN_OR_RETURN(server->tls_, OpenTls(config));
  THALWEG_ASSIGN_OR_RETURN(server->worlds_, OpenWorlds(config));
  spdlog::info("worlds: {}", server->worlds_->worlds().size());
  THALWEG_ASSIGN_OR_RETURN(server->stores_, OpenStores(config));
  THALWEG_ASSIGN_OR_RETURN(auto backends, OpenDevices(config));
  field::FieldOptions field;
  field.block_budget_bytes = config.device_mb() * kMegabyte;
  const Shares shares = SharesOf(config);
  server->cache_ = std::make_unique<cache::TileCache>(shares.tile_cache_bytes);
  server->tiles_ = std::make_unique<tile::TileService>(tile::TileService::Parts{
      .field = std::make_unique<field::Field>(std::move(backends), field),
      .cache = server->cache_.get(),
      .stores = server->stores_.get(),
      .encode_threads = ThreadsOf(config),
      // The allocator would keep the memory of answers that were sent.
      .room = std::make_unique<sharing::AnswerRoom>(shares.request_bytes, [] { malloc_trim(0); })});
  calls::Engine engine{.worlds = server->worlds_.get(),
                       .tiles = server->tiles_.get(),
                       .access = server->access_.get(),
                       .listeners = {&server->call_log_},
                       .sessions = &server->sessions_,
                       .workers = &server->workers_};
  if (!config.metrics_listen().empty() || !config.http().empty()) {
    server->call_metrics_ = std::make_unique<metrics::CallMetrics>();
    engine.listeners.push_back(server->call_metrics_.get());
  }
  rpc::RpcOptions rpc = RpcOptionsOf(config);
  rpc.tls = server->tls_;
  THALWEG_ASSIGN_OR_RETURN(server->rpc_, rpc::RpcServer::Start(engine, config.listen(), rpc));
  THALWEG_RETURN_IF_ERROR(server->ServeHttp(engine, config));
  THALWEG_RETURN_IF_ERROR(server->ServeMetrics(engine, config));
  return server;
}

absl::Status Server::ServeHttp(const calls::Engine& engine, const ServerConfig& config) {
  if (config.http().empty()) return absl::OkStatus();
  http::HttpOptions options;
  options.max_connections = HttpConnectionsOf(config);
  options.connections_per_address = config.http_connections_per_address();
  THALWEG_ASSIGN_OR_RETURN(options.public_url, HttpUrlOf(config));
  options.local_names_only = LocalNamesOnly(config, config.http());
  options.examples = config.examples();
  options.tls = tls_;
  rasters_ = std::make_unique<raster::RasterService>(
      tiles_.get(), SharesOf(config).raster_cache_bytes, ThreadsOf(config));
  http::Site site;
  site.engine = engine;
  site.rasters = rasters_.get();
  site.connections = &connections_;
  site.metrics = [counted = CountAll()] { return metrics::TextOf(counted); };
  THALWEG_ASSIGN_OR_RETURN(http_, http::HttpServer::Start(std::move(site), config.http(), options));
  return absl::OkStatus();
}

void Server::LookAtFiles() {
  access_->LookNow();
  if (tls_ != nullptr) tls_->LookNow();
}

bool Server::Drain(std::chrono::milliseconds patience) {
  if (http_ == nullptr) return rpc_->Drain(patience);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  http_->BeginDrain();
  const bool rpc_finished = rpc_->Drain(patience);
  return http_->Drain(deadline) && rpc_finished;
}

metrics::Collectables Server::CountAll() {
  metrics::Sources sources{.rpc = rpc_.get(),
                           .tiles = tiles_.get(),
                           .memory = cache_.get(),
                           .stores = stores_.get(),
                           .sessions = &sessions_,
                           .tls = tls_,
                           .version = THALWEG_VERSION};
  if (rasters_ != nullptr) {
    sources.connections = &connections_;
    sources.rasters = rasters_.get();
  }
  return {call_metrics_->registry(), std::make_shared<metrics::ServerFamilies>(std::move(sources))};
}

absl::Status Server::ServeMetrics(const calls::Engine& engine, const ServerConfig& config) {
  const std::string& listen = config.metrics_listen();
  if (listen.empty()) return absl::OkStatus();
  http::Site site;
  site.engine = engine;
  site.connections = &metrics_connections_;
  site.metrics = [counted = CountAll()] { return metrics::TextOf(counted); };
  http::HttpOptions http_options;
  http_options.setting = "metrics_listen";
  http_options.only_metrics = true;
  http_options.threads = 1;
  http_options.max_connections = kMetricsConnections;
  THALWEG_ASSIGN_OR_RETURN(http_options.public_url, HttpUrlOf(config));
  http_options.local_names_only = LocalNamesOnly(config, listen);
  THALWEG_ASSIGN_OR_RETURN(metrics_,
                           http::HttpServer::Start(std::move(site), listen, http_options));
  metrics_address_ = wire::WithPort(listen, metrics_->port());
  return absl::OkStatus();
}

}  // namespace thalweg::commands
