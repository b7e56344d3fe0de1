#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/json_text.h"
#include "proto/wire/status_macros.h"
#include "server/backend/backend.h"
#include "server/cache/tile_cache.h"
#include "server/commands/commands.h"
#include "server/commands/device_option.h"
#include "server/commands/logging.h"
#include "server/field/field.h"
#include "server/selftest/suite.h"
#include "server/tile/tile_fan_in.h"
#include "server/tile/tile_service.h"
#include "server/world/block.h"
#include "server/world/recording.h"
#include "server/world/world.h"
#include "server/world/world_library.h"

namespace thalweg::commands {
namespace {

// What a machine gives: the measurements of `thalwegd bench`.

// Tiles of one level. "Cold": nothing of the world was computed before.
struct LevelBench {
  int level = 0;
  // The median time of one cold tile, with its ancestors.
  double first_tile_s = 0;
  // The median rate of 16 neighbours that are asked for together, cold.
  double tiles_per_s = 0;
  // The rate of the same tiles when the server has them in memory: without a network, which
  // is what a caller's processor and the connection take.
  double hot_tiles_per_s = 0;
  // The mean bytes of a tile's heights on the wire.
  double tile_bytes = 0;
  // How many dispatches a block of the level takes.
  int dispatches = 0;
};

struct StageBench {
  std::string stage;
  // The device's time for each block that has the stage.
  double block_s = 0;
};

struct BenchReport {
  std::string device;
  std::string driver;
  std::string world;
  std::vector<LevelBench> levels;
  // Empty if the device has no clock.
  std::vector<StageBench> stages;
};

// For people, and for programs.
std::string TextOf(const BenchReport& report);
std::string JsonOf(const BenchReport& report);

using Clock = std::chrono::steady_clock;

constexpr std::array kLevels = {0, 5, 10};
// Neighbours that are asked for together: a square of this many on a side.
constexpr int kSide = 4;
constexpr int kBenchBlockCells = 256;
constexpr std::size_t kBenchBlockBytes = std::size_t{256} << 20;
constexpr std::size_t kBenchCacheBytes = std::size_t{64} << 20;
// How long hot tiles are asked for, as a part of the time for a level.
constexpr double kHotPart = 0.1;
constexpr double kCellsOfTile = 256.0 * 256.0;

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The tiles of a square that begins at (x, y), asked for together. Returns their bytes.
absl::StatusOr<std::size_t> FetchSquare(tile::TileService& tiles,
                                        const std::shared_ptr<const world::World>& world, int level,
                                        std::int64_t x, std::int64_t y, int side) {
  std::atomic<std::size_t> bytes = 0;
  std::promise<absl::Status> end;
  std::future<absl::Status> ended = end.get_future();
  tile::TileFanIn fan_in(
      &tiles,
      [&bytes](std::size_t, const absl::StatusOr<tile::TileContents>& tile) {
        if (tile.ok()) bytes += tile->finished().size();
        return tile.status();
      },
      [end = std::move(end)](const absl::Status& status) mutable { end.set_value(status); });
  fan_in.AskAll(static_cast<std::size_t>(side) * static_cast<std::size_t>(side),
                [&](std::size_t n) {
                  const auto i = static_cast<std::int64_t>(n);
                  tile::TileQuery query;
                  query.world = world;
                  query.key = {.face = 0, .level = level, .x = x + i % side, .y = y + i / side};
                  return query;
                });
  THALWEG_RETURN_IF_ERROR(ended.get());
  return bytes.load();
}

// How many dispatches a block of the level takes.
int DispatchesOf(const world::World& world, int level, bool join_sweeps) {
  const std::vector<world::BlockShape> shapes =
      world::BlockShapes(world.UpTo(level)->programs(), kBenchBlockCells);
  const auto at = static_cast<std::size_t>(level);
  world::RecordingOptions options;
  options.join_sweeps = join_sweeps;
  int dispatches = 0;
  for (const stages::Segment& segment :
       world::Record(world.level(level), shapes[at],
                     level > 0 ? shapes[at - 1] : world::BlockShape{}, 1, options)) {
    dispatches += static_cast<int>(segment.dispatches.size());
  }
  return dispatches;
}

// Measures for about `seconds`, three levels or more of the world in turn; each round has another
// seed, so its tiles are cold. Errors are the backend's.
absl::StatusOr<BenchReport> RunBench(std::unique_ptr<backend::Backend> backend,
                                     const world::World& world, double seconds) {
  BenchReport report;
  report.device = backend->device_name();
  report.driver = backend->driver();
  report.world = world.name();
  const bool join_sweeps = backend->JoinsSweeps();
  cache::TileCache cache(kBenchCacheBytes);
  const auto threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const field::FieldOptions options{.block_cells = kBenchBlockCells,
                                    .block_budget_bytes = kBenchBlockBytes};
  tile::TileService tiles({.field = std::make_unique<field::Field>(std::move(backend), options),
                           .cache = &cache,
                           .encode_threads = threads});
  std::uint64_t seed = 1;
  // A device compiles its kernels for the first tile.
  THALWEG_RETURN_IF_ERROR(FetchSquare(tiles, world.Reseeded(seed), kLevels[1], 0, 0, 1).status());
  for (const int level : kLevels) {
    if (level >= world.levels()) break;
    LevelBench& bench = report.levels.emplace_back();
    bench.level = level;
    bench.dispatches = DispatchesOf(world, level, join_sweeps);
    std::vector<double> first;
    std::vector<double> rates;
    const auto begin = Clock::now();
    while (first.empty() || Since(begin) < seconds / kLevels.size()) {
      auto before = Clock::now();
      THALWEG_RETURN_IF_ERROR(FetchSquare(tiles, world.Reseeded(++seed), level, 3, 2, 1).status());
      first.push_back(Since(before));
      before = Clock::now();
      THALWEG_ASSIGN_OR_RETURN(const std::size_t bytes,
                               FetchSquare(tiles, world.Reseeded(++seed), level, 8, 8, kSide));
      rates.push_back(kSide * kSide / Since(before));
      bench.tile_bytes = static_cast<double>(bytes) / (kSide * kSide);
    }
    std::size_t hot = 0;
    const auto hot_begin = Clock::now();
    for (; hot == 0 || Since(hot_begin) < kHotPart * seconds / kLevels.size();
         hot += kSide * kSide) {
      THALWEG_RETURN_IF_ERROR(
          FetchSquare(tiles, world.Reseeded(seed), level, 8, 8, kSide).status());
    }
    bench.hot_tiles_per_s = static_cast<double>(hot) / Since(hot_begin);
    bench.first_tile_s = Median(std::move(first));
    bench.tiles_per_s = Median(std::move(rates));
  }
  for (const auto& [stage, time] : tiles.field_stats().stages) {
    if (time.times > 0)
      report.stages.push_back({stage, time.seconds / static_cast<double>(time.times)});
  }
  return report;
}

std::string TextOf(const BenchReport& report) {
  std::string text = absl::StrCat("device ", report.device, ", ", report.driver, "\nworld ",
                                  report.world, ", heights; nothing was computed before\n\n");
  absl::StrAppendFormat(&text, "%-6s %11s %9s %13s %13s %11s %13s\n", "level", "first tile",
                        "tiles/s", "cells/s", "hot tiles/s", "dispatches", "bytes a tile");
  for (const LevelBench& level : report.levels) {
    absl::StrAppendFormat(&text, "%-6d %8.0f ms %9.1f %13.0f %13.0f %11d %13.0f\n", level.level,
                          1e3 * level.first_tile_s, level.tiles_per_s,
                          level.tiles_per_s * kCellsOfTile, level.hot_tiles_per_s, level.dispatches,
                          level.tile_bytes);
  }
  if (report.stages.empty()) return text;
  absl::StrAppendFormat(&text, "\n%-12s %14s\n", "stage", "µs a block");
  for (const StageBench& stage : report.stages) {
    absl::StrAppendFormat(&text, "%-12s %13.0f\n", stage.stage, 1e6 * stage.block_s);
  }
  return text;
}

std::string JsonOf(const BenchReport& report) {
  using nlohmann::ordered_json;
  ordered_json levels = ordered_json::array();
  for (const LevelBench& level : report.levels) {
    levels.push_back({{"level", level.level},
                      {"first_tile_s", json::Rounded(level.first_tile_s, 6)},
                      {"tiles_per_s", json::Rounded(level.tiles_per_s, 3)},
                      {"cells_per_s", std::round(level.tiles_per_s * kCellsOfTile)},
                      {"hot_tiles_per_s", std::round(level.hot_tiles_per_s)},
                      {"dispatches", level.dispatches},
                      {"tile_bytes", std::round(level.tile_bytes)}});
  }
  ordered_json stages = ordered_json::object();
  for (const StageBench& stage : report.stages) {
    stages[stage.stage] = json::Rounded(stage.block_s, 9);
  }
  return json::TextOf({{"device", report.device},
                       {"driver", report.driver},
                       {"world", report.world},
                       {"levels", std::move(levels)},
                       {"stage_block_s", std::move(stages)}}) +
         "\n";
}

struct BenchOptions {
  std::string device = "auto";
  int threads = 0;
  double seconds = 30;
  bool json = false;
};

// The process of another program of this name, or 0 if there is none or it can't be known.
int OtherServer() {
  std::error_code error;
  for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
    int id = 0;
    if (!absl::SimpleAtoi(process.path().filename().string(), &id) || id == getpid()) continue;
    std::string name;
    std::getline(std::ifstream(process.path() / "comm"), name);
    if (name == "thalwegd") return id;
  }
  return 0;
}

absl::StatusOr<std::string> RunBenchCommand(const BenchOptions& options) {
  if (const int server = OtherServer(); server != 0) {
    spdlog::warn("another thalwegd is running here, as process {}: it slows down what is measured",
                 server);
  }
  backend::BackendOptions backend_options;
  backend_options.threads = options.threads;
  backend_options.vulkan.device = options.device;
  THALWEG_ASSIGN_OR_RETURN(auto backend, OpenBackend(backend_options));
  // The speed of wrong bits is worth nothing.
  THALWEG_RETURN_IF_ERROR(selftest::QuickCheck(*backend));
  THALWEG_ASSIGN_OR_RETURN(const auto world, world::WorldLibrary::OfPresets()->Find("alpine"));
  THALWEG_ASSIGN_OR_RETURN(const BenchReport report,
                           RunBench(std::move(backend), *world, options.seconds));
  return options.json ? JsonOf(report) : TextOf(report);
}

}  // namespace

void AddBenchCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "bench",
      "Measure the speed of this machine: cold tiles a second, and the time of each stage");
  const auto options = std::make_shared<BenchOptions>();
  AddDeviceOption(*command, &options->device);
  AddThreadsOption(*command, &options->threads);
  constexpr double kMaxSeconds = 3600;
  command->add_option("--seconds", options->seconds, "How long to measure")
      ->type_name("S")
      ->check(CLI::Range(1.0, kMaxSeconds))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one line of JSON");
  command->footer(
      "Stop other programs first, a running server too: they slow down what is measured. If your "
      "device is missing in the README's table, send us the output, with the last line of "
      "`thalwegd selftest`.");
  command->callback([options, exit_code] {
    const absl::StatusOr<std::string> text = RunBenchCommand(*options);
    if (!text.ok()) LogError(text.status());
    *exit_code = text.ok() && std::fputs(text->c_str(), stdout) >= 0 ? kSuccess : kFailure;
  });
}

}  // namespace thalweg::commands
