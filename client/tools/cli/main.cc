// The program thalweg.
#include <google/protobuf/stubs/logging.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/cli/arguments.h"
#include "client/tools/cli/commands.h"
#include "client/tools/cli/connection.h"
#include "proto/base/json_text.h"
#include "proto/command_line/run.h"
#include "proto/wire/status_macros.h"
#include "thalweg/client.h"

namespace thalweg::cli {
namespace {

struct Run {
  const std::string& server;
  const ClientOptions& options;
  bool json;

  absl::StatusOr<std::unique_ptr<Client>> Connect() const {
    return Client::Connect(server, options);
  }

  absl::StatusOr<std::string> operator()(const WorldsArguments&) const {
    THALWEG_ASSIGN_OR_RETURN(const auto client, Connect());
    THALWEG_ASSIGN_OR_RETURN(const std::vector<WorldInfo> worlds, client->ListWorlds());
    return WorldsText(worlds, json);
  }
  absl::StatusOr<std::string> operator()(const InfoArguments& arguments) const {
    THALWEG_ASSIGN_OR_RETURN(const auto client, Connect());
    THALWEG_ASSIGN_OR_RETURN(const WorldInfo world, client->GetWorld(arguments.world));
    if (!arguments.heights) return InfoText(world, json);
    THALWEG_ASSIGN_OR_RETURN(LandHeights heights, HeightsOfShowplace(*client, world));
    return InfoText(world, json, std::move(heights));
  }
  absl::StatusOr<std::string> operator()(const FetchArguments& arguments) const {
    THALWEG_ASSIGN_OR_RETURN(const auto client, Connect());
    return Fetch(*client, arguments, json);
  }
  // This command uses all servers that --server names.
  absl::StatusOr<std::string> operator()(const BakeArguments& arguments) const {
    return Bake(server, options, arguments, json);
  }
  absl::StatusOr<std::string> operator()(const SurveyArguments& arguments) const {
    if (!arguments.raster.empty()) return SurveyRaster(arguments.raster, json);
    THALWEG_ASSIGN_OR_RETURN(const auto client, Connect());
    return Survey(*client, arguments, json);
  }
  absl::StatusOr<std::string> operator()(const ImportArguments& arguments) const {
    return Import(arguments, json);
  }
  absl::StatusOr<std::string> operator()(const FlyArguments& arguments) const {
    THALWEG_ASSIGN_OR_RETURN(const auto client, Connect());
    return Fly(*client, arguments, json);
  }
  absl::StatusOr<std::string> operator()(const HealthArguments&) const {
    return Health(server, options, json);
  }
  absl::StatusOr<std::string> operator()(const CreateWorldArguments& arguments) const {
    THALWEG_ASSIGN_OR_RETURN(const auto client, Connect());
    return CreateWorld(*client, arguments, json);
  }
  absl::StatusOr<std::string> operator()(const DeleteWorldArguments& arguments) const {
    THALWEG_ASSIGN_OR_RETURN(const auto client, Connect());
    THALWEG_ASSIGN_OR_RETURN(const DeletedWorld deleted, client->DeleteWorld(arguments.world));
    if (json) return json::TextOf({{"deleted", deleted.is_gone}}) + "\n";
    return (deleted.is_gone ? "deleted " : "removed for you; others still use it: ") +
           arguments.world + "\n";
  }
};

absl::StatusOr<std::string> RunCommand(const Arguments& arguments) {
  THALWEG_ASSIGN_OR_RETURN(const ClientOptions options, ReadOptions(arguments.connection));
  return std::visit(Run{arguments.connection.server, options, arguments.json}, arguments.command);
}

absl::Status RunAndPrint(const Arguments& arguments) {
  THALWEG_ASSIGN_OR_RETURN(const std::string text, RunCommand(arguments));
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    return absl::UnknownError("cannot write all of the answer to standard output");
  }
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  // Our errors already contain what gRPC and Protobuf would log.
  setenv("GRPC_VERBOSITY", "NONE", 0);
  google::protobuf::SetLogHandler(nullptr);
  const auto parsed = ParseArguments(argc, argv);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const absl::Status status = RunAndPrint(std::get<Arguments>(parsed));
  if (status.ok()) return command_line::kSuccess;
  const std::string message(status.message());
  std::fprintf(stderr, "thalweg: %s\n", message.c_str());
  return command_line::kFailure;
}

}  // namespace
}  // namespace thalweg::cli

// NOLINTNEXTLINE(bugprone-exception-escape): an uncaught exception ends the program.
int main(int argc, char** argv) {
  return thalweg::command_line::RunMain("thalweg", [&] { return thalweg::cli::Main(argc, argv); });
}
