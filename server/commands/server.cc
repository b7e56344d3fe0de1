#include "server/commands/server.h"

#include <spdlog/spdlog.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/host_port.h"
#include "proto/wire/status_macros.h"
#include "server/commands/device_option.h"
#include "server/metrics/metrics_text.h"
#include "server/metrics/server_families.h"
#include "server/selftest/suite.h"

namespace thalweg::commands {
namespace {

// How often access is checked. The tokens file itself is checked at most once a second.
constexpr std::chrono::milliseconds kAccessInterval{500};

absl::StatusOr<std::unique_ptr<world::WorldLibrary>> OpenWorlds(const ServerOptions& options) {
  const world::WorldLibrary::Options limits{.max_created = options.max_created_worlds};
  const std::string& folder = options.worlds;
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
      spdlog::info("read {} again, since it has changed", file);
    } else {
      spdlog::error("{}; the server goes on with what it read before",
                    std::string(outcome.message()));
    }
  };
  return options;
}

absl::StatusOr<std::unique_ptr<access::AccessControl>> OpenAccess(const ServerOptions& options) {
  if (options.tokens.empty()) {
    return access::AccessControl::OfEveryone(options.anonymous_scopes, options.access);
  }
  return access::AccessControl::OfFile(options.tokens, LoggedReloads(), options.access);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server());
  // Quick checks come before slow steps.
  THALWEG_ASSIGN_OR_RETURN(server->access_, OpenAccess(options));
  rpc::RpcOptions rpc_options = options.rpc;
  if (!options.tokens.empty()) rpc_options.access_interval = kAccessInterval;
  if (!options.tls.certificate.empty()) {
    THALWEG_ASSIGN_OR_RETURN(server->tls_, access::WatchTlsIdentity(options.tls, LoggedReloads()));
    rpc_options.tls = server->tls_;
  }
  THALWEG_ASSIGN_OR_RETURN(server->worlds_, OpenWorlds(options));
  spdlog::info("worlds: {}", server->worlds_->worlds().size());
  THALWEG_ASSIGN_OR_RETURN(server->stores_, OpenStores(options.stores));
  THALWEG_ASSIGN_OR_RETURN(auto backends, OpenBackends(options.backend));
  for (const auto& backend : backends) {
    // The reference makes the digests, so it need not be checked.
    if (!options.check_device || backend->device_name() == "reference") continue;
    THALWEG_RETURN_IF_ERROR(CheckDevice(*backend));
  }
  server->cache_ = std::make_unique<cache::TileCache>(options.cache_bytes);
  server->tiles_ = std::make_unique<tile::TileService>(
      std::make_unique<field::Field>(std::move(backends), options.field), server->cache_.get(),
      options.threads, server->stores_.get());
  calls::Engine engine{.worlds = server->worlds_.get(),
                       .tiles = server->tiles_.get(),
                       .access = server->access_.get(),
                       .listeners = {&server->call_log_},
                       .sessions = &server->sessions_,
                       .workers = &server->workers_};
  if (!options.metrics_listen.empty() || !options.http_listen.empty()) {
    server->call_metrics_ = std::make_unique<metrics::CallMetrics>();
    engine.listeners.push_back(server->call_metrics_.get());
  }
  THALWEG_ASSIGN_OR_RETURN(server->rpc_,
                           rpc::RpcServer::Start(engine, options.listen, rpc_options));
  THALWEG_RETURN_IF_ERROR(server->ServeHttp(engine, options));
  THALWEG_RETURN_IF_ERROR(server->ServeMetrics(engine, options.metrics_listen));
  return server;
}

absl::Status Server::ServeHttp(const calls::Engine& engine, const ServerOptions& options) {
  if (options.http_listen.empty()) return absl::OkStatus();
  http::HttpOptions http_options = options.http;
  http_options.tls = tls_;
  rasters_ = std::make_unique<raster::RasterService>(tiles_.get(), options.raster_cache_bytes,
                                                     options.threads);
  http::Site site;
  site.engine = engine;
  site.rasters = rasters_.get();
  site.connections = &connections_;
  site.metrics = [counted = CountAll()] { return metrics::TextOf(counted); };
  THALWEG_ASSIGN_OR_RETURN(
      http_, http::HttpServer::Start(std::move(site), options.http_listen, http_options));
  return absl::OkStatus();
}

bool Server::Drain(std::chrono::milliseconds patience) {
  if (http_ == nullptr) return rpc_->Drain(patience);
  const auto deadline = std::chrono::system_clock::now() + patience;
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

absl::Status Server::ServeMetrics(const calls::Engine& engine, const std::string& listen) {
  if (listen.empty()) return absl::OkStatus();
  http::Site site;
  site.engine = engine;
  site.connections = &metrics_connections_;
  site.metrics = [counted = CountAll()] { return metrics::TextOf(counted); };
  http::HttpOptions http_options;
  http_options.setting = "metrics_listen";
  http_options.only_metrics = true;
  http_options.threads = 1;
  THALWEG_ASSIGN_OR_RETURN(metrics_,
                           http::HttpServer::Start(std::move(site), listen, http_options));
  metrics_address_ = wire::WithPort(listen, metrics_->port());
  return absl::OkStatus();
}

}  // namespace thalweg::commands
