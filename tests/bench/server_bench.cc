// thalweg_server_bench: measurements that need a whole server. They are the time from its start to
// its first tile, and its peak of memory for many different tiles. Prints JSON.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "grpcpp/grpcpp.h"
#include "proto/wire/status_macros.h"
#include "tests/bench/child_server.h"
#include "thalweg/v1/terrain.grpc.pb.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string program = "thalwegd";
  std::string device = "auto";
  std::string world = "alpine";
  std::string worlds;
  int starts = 5;
  int tiles = 2000;
  int level = 2;
};

double Milliseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

absl::Status FromGrpc(const std::string& operation, const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::UnknownError(absl::StrCat(operation, ": ", status.error_message()));
}

std::unique_ptr<v1::TerrainService::Stub> Connect(const Server& server) {
  return v1::TerrainService::NewStub(
      grpc::CreateChannel(server.address(), grpc::InsecureChannelCredentials()));
}

absl::Status FetchFirst(const Server& server, const Options& options) {
  v1::GetTileRequest request;
  request.set_world(options.world);
  request.mutable_key();
  grpc::ClientContext context;
  v1::GetTileResponse response;
  return FromGrpc("get tile", Connect(server)->GetTile(&context, request, &response));
}

// Streams tiles of one level, in rows of 50. If there are fewer, they are one row.
absl::StatusOr<int> FetchMany(const Server& server, const Options& options) {
  const int columns = std::clamp(options.tiles, 1, 50);
  v1::StreamTilesRequest request;
  request.set_world(options.world);
  request.mutable_first()->set_level(static_cast<std::uint32_t>(options.level));
  request.set_columns(static_cast<std::uint32_t>(columns));
  request.set_rows(static_cast<std::uint32_t>((options.tiles + columns - 1) / columns));
  grpc::ClientContext context;
  const auto reader = Connect(server)->StreamTiles(&context, request);
  v1::StreamTilesResponse response;
  int tiles = 0;
  while (reader->Read(&response)) ++tiles;
  THALWEG_RETURN_IF_ERROR(FromGrpc("stream tiles", reader->Finish()));
  return tiles;
}

absl::Status Run(const Options& options) {
  std::vector<std::string> arguments{"--device", options.device};
  if (!options.worlds.empty()) arguments.insert(arguments.end(), {"--worlds", options.worlds});
  std::string times;
  for (int i = 0; i < options.starts; ++i) {
    const Clock::time_point start = Clock::now();
    THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<Server> server,
                             StartServer(options.program, arguments));
    THALWEG_RETURN_IF_ERROR(FetchFirst(*server, options));
    absl::StrAppend(&times, i == 0 ? "" : ", ", Milliseconds(start));
  }
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<Server> server,
                           StartServer(options.program, arguments));
  const Clock::time_point start = Clock::now();
  THALWEG_ASSIGN_OR_RETURN(const int tiles, FetchMany(*server, options));
  const double seconds = Milliseconds(start) / 1000;
  std::printf(
      "{\n  \"start_to_first_tile_ms\": [%s],\n  \"tiles\": %d,\n  \"seconds\": %.3f,\n"
      "  \"tiles_per_second\": %.2f,\n  \"peak_resident_bytes\": %lld,\n  \"anonymous_bytes\": "
      "%lld\n}\n",
      times.c_str(), tiles, seconds, tiles / seconds, static_cast<long long>(server->peak_bytes()),
      static_cast<long long>(server->anonymous_bytes()));
  return absl::OkStatus();
}

}  // namespace
}  // namespace thalweg::bench

// NOLINTNEXTLINE(bugprone-exception-escape): an uncaught exception ends the program.
int main(int argc, char** argv) {
  thalweg::bench::Options options;
  CLI::App app("Measures a whole server, started as a child", "thalweg_server_bench");
  app.add_option("--thalwegd", options.program, "Path of the server program")->required();
  app.add_option("--device", options.device, "What the server computes on")->capture_default_str();
  app.add_option("--world", options.world, "World to ask for")->capture_default_str();
  app.add_option("--worlds", options.worlds, "The server's folder of worlds");
  app.add_option("--starts", options.starts, "Starts to time")->capture_default_str();
  app.add_option("--tiles", options.tiles, "Different tiles to fetch")->capture_default_str();
  app.add_option("--level", options.level, "Level of these tiles")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = thalweg::bench::Run(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "thalweg_server_bench: %s\n", std::string(status.message()).c_str());
  return 1;
}
