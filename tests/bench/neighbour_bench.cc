// thalweg_neighbour_bench: how much a neighbour with four connections slows down a caller of hot
// and cold tiles, for well-behaved neighbours and for each that does the worst it can. Prints a
// table.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "tests/bench/child_server.h"
#include "tests/child/child.h"
#include "tests/neighbour/neighbour.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;
using neighbour::Neighbour;

constexpr char kWorld[] = "plain";
constexpr std::int64_t kHotTiles = 16;
constexpr int kColdLevel = 8;

struct Options {
  std::string program = "thalwegd";
  std::string device = "reference";
  double seconds = 5;
  int rounds = 3;
  std::vector<std::string> only;
  // Only set in the child process that is the neighbour.
  std::string neighbour;
  int callers = 1;
  neighbour::Place place{.world = kWorld};
};

// A caller that asks for hot tiles, one after the other.
class Caller {
 public:
  explicit Caller(const std::string& address)
      : stub_(v1::TerrainService::NewStub(
            grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))) {}

  // Creates a world whose tiles cost nearly nothing.
  absl::Status CreateWorld() {
    v1::CreateWorldRequest request;
    v1::WorldSpec& spec = *request.mutable_spec();
    spec.set_name(kWorld);
    spec.set_cell_size_m(1024);
    spec.set_levels(4);
    spec.mutable_base()->mutable_fbm()->set_wavelength_m(20'000);
    spec.mutable_base()->mutable_fbm()->set_amplitude(400);
    spec.add_rules()->mutable_detail()->set_roughness(0.6);
    grpc::ClientContext context;
    v1::CreateWorldResponse response;
    const grpc::Status status = stub_->CreateWorld(&context, request, &response);
    if (status.ok()) return absl::OkStatus();
    return absl::UnknownError(absl::StrCat("create world: ", status.error_message()));
  }

  absl::Status Get(std::int64_t n) {
    return GetTile(kWorld, neighbour::KeyOf(0, n % 4, n / 4 % 4));
  }

  // The time of a tile of which no block is kept, in milliseconds: the median of a few.
  absl::StatusOr<double> ColdMs() {
    constexpr std::size_t kTiles = 5;
    std::vector<double> times;
    while (times.size() < kTiles) {
      const Clock::time_point asked = Clock::now();
      THALWEG_RETURN_IF_ERROR(GetTile("alpine", neighbour::KeyOf(kColdLevel, 4'096 * ++cold_, 0)));
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - asked).count());
    }
    std::sort(times.begin(), times.end());
    return times[kTiles / 2];
  }

  // Makes calls for this many seconds, and returns their times in milliseconds.
  absl::StatusOr<std::vector<double>> GetFor(double seconds) {
    std::vector<double> times;
    const Clock::time_point begin = Clock::now();
    for (std::int64_t n = 0; Clock::now() - begin < std::chrono::duration<double>(seconds); ++n) {
      const Clock::time_point asked = Clock::now();
      THALWEG_RETURN_IF_ERROR(Get(n));
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - asked).count());
    }
    return times;
  }

 private:
  absl::Status GetTile(const std::string& world, const v1::TileKey& key) {
    grpc::ClientContext context;
    context.AddMetadata("x-forwarded-for", "198.51.100.7");
    v1::GetTileRequest request;
    request.set_world(world);
    *request.mutable_key() = key;
    v1::GetTileResponse response;
    const grpc::Status status = stub_->GetTile(&context, request, &response);
    if (status.ok()) return absl::OkStatus();
    return absl::UnknownError(absl::StrCat("get tile: ", status.error_message()));
  }

  const std::unique_ptr<v1::TerrainService::Stub> stub_;
  std::int64_t cold_ = 0;
};

// The values must be sorted and not empty.
double Quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

struct Row {
  std::size_t calls = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  // A cold tile: before the neighbour came, and beside it.
  double cold_alone_ms = 0;
  double cold_ms = 0;
  // How much more memory the server had: at most, and when the neighbour had gone.
  std::int64_t more_bytes = 0;
  std::int64_t later_bytes = 0;
};

absl::StatusOr<Row> Measure(const Options& options, const Neighbour& neighbour) {
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<Server> server,
                           StartServer(options.program, {"--device", options.device,
                                                         "--trusted-proxies", "127.0.0.0/8"}));
  Caller caller(server->address());
  THALWEG_RETURN_IF_ERROR(caller.CreateWorld());
  for (std::int64_t n = 0; n < kHotTiles; ++n) THALWEG_RETURN_IF_ERROR(caller.Get(n));
  THALWEG_RETURN_IF_ERROR(caller.ColdMs().status());  // drivers compile kernels
  THALWEG_ASSIGN_OR_RETURN(const double cold_alone_ms, caller.ColdMs());
  const std::int64_t before = server->peak_bytes();
  const std::int64_t resident_before = server->resident_bytes();
  auto process = std::make_unique<child::Child>(std::vector<std::string>{
      "/proc/self/exe", "--neighbour", neighbour.name, "--callers",
      absl::StrCat(neighbour.callers_per_connection), "--rpc-port",
      absl::StrCat(server->rpc_port()), "--http-port", absl::StrCat(server->http_port())});
  // Waits until the neighbour is at work.
  THALWEG_RETURN_IF_ERROR(caller.GetFor(options.seconds / 5).status());
  THALWEG_ASSIGN_OR_RETURN(std::vector<double> times, caller.GetFor(options.seconds));
  THALWEG_ASSIGN_OR_RETURN(const double cold_ms, caller.ColdMs());
  if (!process->is_running()) {
    return absl::UnknownError(
        absl::StrCat(neighbour.name, ": it has ended: ", process->AwaitText("")));
  }
  process.reset();
  THALWEG_RETURN_IF_ERROR(caller.GetFor(options.seconds / 5).status());
  std::sort(times.begin(), times.end());
  return Row{.calls = times.size(),
             .p50_ms = Quantile(times, 0.5),
             .p99_ms = Quantile(times, 0.99),
             .cold_alone_ms = cold_alone_ms,
             .cold_ms = cold_ms,
             .more_bytes = server->peak_bytes() - before,
             .later_bytes = server->resident_bytes() - resident_before};
}

// Measures several rounds, and returns the one with the median p99.
absl::StatusOr<Row> MeasureRounds(const Options& options, const Neighbour& neighbour) {
  std::vector<Row> rows;
  for (int round = 0; round < options.rounds; ++round) {
    THALWEG_ASSIGN_OR_RETURN(rows.emplace_back(), Measure(options, neighbour));
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.p99_ms < b.p99_ms; });
  return rows[rows.size() / 2];
}

// Compares each neighbour with a well-behaved one that has as many callers.
absl::Status Run(const Options& options) {
  std::printf("%-20s %8s %9s %9s %9s %15s %8s %9s %8s %8s\n", "neighbour", "callers", "calls",
              "p50 ms", "p99 ms", "of well-behaved", "cold ms", "of alone", "MiB more",
              "MiB later");
  const auto print = [](const Neighbour& neighbour, const Row& row, double ratio) {
    std::printf("%-20s %8d %9zu %9.2f %9.2f %13.1f x %8.0f %7.1f x %8lld %9lld\n",
                neighbour.name.c_str(), neighbour::kConnections * neighbour.callers_per_connection,
                row.calls, row.p50_ms, row.p99_ms, ratio, row.cold_ms,
                row.cold_ms / row.cold_alone_ms, static_cast<long long>(row.more_bytes >> 20),
                static_cast<long long>(row.later_bytes >> 20));
    std::fflush(stdout);
  };
  std::map<int, double> well_behaved_ms;
  for (const Neighbour& neighbour : neighbour::HostileNeighbours()) {
    if (!options.only.empty() &&
        std::find(options.only.begin(), options.only.end(), neighbour.name) == options.only.end()) {
      continue;
    }
    const int callers = neighbour.callers_per_connection;
    if (!well_behaved_ms.contains(callers)) {
      const Neighbour well_behaved = neighbour::WellBehaved(callers);
      THALWEG_ASSIGN_OR_RETURN(const Row row, MeasureRounds(options, well_behaved));
      well_behaved_ms[callers] = row.p99_ms;
      print(well_behaved, row, 1);
    }
    THALWEG_ASSIGN_OR_RETURN(const Row row, MeasureRounds(options, neighbour));
    print(neighbour, row, row.p99_ms / well_behaved_ms[callers]);
  }
  return absl::OkStatus();
}

// Runs as the neighbour until the process is killed.
absl::Status BeNeighbour(const Options& options) {
  std::vector<Neighbour> all = neighbour::HostileNeighbours();
  all.push_back(neighbour::WellBehaved(options.callers));
  for (const Neighbour& neighbour : all) {
    if (neighbour.name != options.neighbour) continue;
    const neighbour::AtWork at_work(options.place, neighbour);
    for (;;) pause();
  }
  return absl::NotFoundError(absl::StrCat("no neighbour is called '", options.neighbour, "'"));
}

}  // namespace
}  // namespace thalweg::bench

// NOLINTNEXTLINE(bugprone-exception-escape): an uncaught exception ends the program.
int main(int argc, char** argv) {
  thalweg::bench::Options options;
  CLI::App app("Measures what a caller of hot tiles notices of hostile neighbours",
               "thalweg_neighbour_bench");
  app.add_option("--thalwegd", options.program, "Path of the server program")
      ->capture_default_str();
  app.add_option("--device", options.device, "What the server computes on")->capture_default_str();
  app.add_option("--seconds", options.seconds, "How long each is measured")->capture_default_str();
  app.add_option("--rounds", options.rounds, "Rounds of each; the median counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 99));
  app.add_option("--only", options.only, "Only these hostile neighbours");
  app.add_option("--neighbour", options.neighbour)->group("");
  app.add_option("--callers", options.callers)->group("");
  app.add_option("--rpc-port", options.place.rpc_port)->group("");
  app.add_option("--http-port", options.place.http_port)->group("");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = options.neighbour.empty() ? thalweg::bench::Run(options)
                                                        : thalweg::bench::BeNeighbour(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "thalweg_neighbour_bench: %s\n", std::string(status.message()).c_str());
  return 1;
}
