#include "server/rpc/rpc_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "server/rpc/terrain_service.h"

namespace thalweg::rpc {
namespace {

// Time for answers that are already written to reach their callers.
constexpr std::chrono::milliseconds kFlushTime{200};

// Both are process-wide switches of gRPC that hold for servers built later.
void EnablePlugins() {
  static std::once_flag once;
  std::call_once(once, [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::Start(const Engine& engine,
                                                            const std::string& address) {
  EnablePlugins();
  std::unique_ptr<RpcServer> server(new RpcServer());
  server->service_ = std::make_unique<TerrainService>(engine, &server->gate_);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &server->port_);
  builder.RegisterService(server->service_.get());
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  // Or two servers could share a port, and either would get some of the calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  server->server_ = builder.BuildAndStart();
  if (server->server_ == nullptr || server->port_ == 0) {
    return absl::UnavailableError(
        absl::StrCat("listen on ", address,
                     ": the address is no HOST:PORT of this machine, or another program has it"));
  }
  // The empty name is the server as a whole; the plugin knows the services by theirs.
  server->server_->GetHealthCheckService()->SetServingStatus(true);
  server->server_->GetHealthCheckService()->SetServingStatus(
      v1::TerrainService::service_full_name(), true);
  return server;
}

RpcServer::~RpcServer() {
  if (server_ != nullptr) Drain(std::chrono::milliseconds(0));
}

bool RpcServer::Drain(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::system_clock::now() + patience;
  gate_.Close();
  server_->GetHealthCheckService()->SetServingStatus(false);
  const bool all_finished = gate_.AwaitEmpty(deadline);
  // Cancels what is left, health's watchers among it.
  server_->Shutdown(std::max(deadline, std::chrono::system_clock::now() + kFlushTime));
  server_->Wait();
  gate_.AwaitEmpty(std::chrono::system_clock::time_point::max());
  return all_finished;
}

}  // namespace thalweg::rpc
