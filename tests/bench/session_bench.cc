// thalweg_session_bench: how fast a whole server serves many clients. Each flies over other warm
// ground, with its own session. Prints a table, or JSON.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "tests/bench/child_server.h"
#include "tests/bench/pilot.h"
#include "tests/bench/session_report.h"

namespace thalweg::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kWorld[] = "noise";
// The highest rate at which libthalweg sends its camera.
constexpr std::chrono::milliseconds kViewPause{100};
constexpr std::chrono::seconds kPatience{600};
// How many views per second of flight warm the ground.
constexpr double kWarmViewsPerS = 0.5;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Creates a world without stages: its tiles cost nearly nothing, so many can be warmed.
absl::Status CreateWorld(const std::string& address) {
  v1::CreateWorldRequest request;
  v1::WorldSpec& spec = *request.mutable_spec();
  spec.set_name(kWorld);
  spec.set_seed(1);
  spec.set_cell_size_m(1024);
  spec.set_levels(12);
  v1::Noise& noise = *spec.mutable_base()->mutable_fbm();
  noise.set_wavelength_m(20'000);
  noise.set_amplitude(400);
  spec.add_rules()->mutable_detail()->set_roughness(0.6);
  grpc::ClientContext context;
  v1::CreateWorldResponse response;
  const auto stub =
      v1::TerrainService::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  const grpc::Status status = stub->CreateWorld(&context, request, &response);
  if (status.ok()) return absl::OkStatus();
  return absl::UnknownError(absl::StrCat("create world: ", status.error_message()));
}

Leg LegOf(const SessionOptions& options, int session) {
  return {.heading_rad = 2 * std::numbers::pi * session / options.sessions,
          .speed_m_s = options.speed_m_s,
          .seconds = options.leg_s,
          .height_m = options.height_m};
}

// Runs a function for every session, each on its own thread. The first error counts.
absl::Status ForAll(int sessions, const std::function<absl::Status(int)>& function) {
  std::vector<absl::Status> statuses(static_cast<std::size_t>(sessions));
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < sessions; ++n) {
      threads.emplace_back([&, n] { statuses[static_cast<std::size_t>(n)] = function(n); });
    }
  }
  for (const absl::Status& status : statuses) THALWEG_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

// Makes the server compute all tiles that the flight will need, on the way out and back.
absl::Status Warm(const std::string& address, const SessionOptions& options) {
  return ForAll(options.sessions, [&](int n) -> absl::Status {
    Pilot pilot(address, kWorld, 1U << 20);
    const Leg leg = LegOf(options, n);
    for (double at = 0; at < 2 * leg.seconds; at += 1 / kWarmViewsPerS) {
      pilot.Look(leg.ViewAt(at));
      if (!pilot.AwaitSettled(kPatience)) {
        return absl::UnknownError(absl::StrCat("warm the ground of session ", n));
      }
    }
    return absl::OkStatus();
  });
}

// Flies in real time. With as_served, each view is sent when the last one is settled, and is one
// kViewPause farther. Returns the error if the session ends before the flight.
absl::Status Fly(Pilot& pilot, const Leg& leg, const SessionOptions& options,
                 Clock::time_point begin) {
  int views = 0;
  Clock::time_point probed = begin;
  Clock::time_point dropped = begin;
  while (SecondsSince(begin) < options.seconds) {
    const double flown_s = options.as_served
                               ? std::chrono::duration<double>(kViewPause).count() * views
                               : SecondsSince(begin);
    const v1::View view = leg.ViewAt(flown_s);
    pilot.Look(view);
    ++views;
    const Clock::time_point now = Clock::now();
    if (now >= dropped + std::chrono::seconds(1)) {
      dropped = now;
      pilot.DropBehind(view.position_m().east(), view.position_m().south());
    }
    if (now >= probed + std::chrono::seconds(1)) {
      probed = now;
      pilot.Probe();
    }
    if (options.as_served) {
      pilot.AwaitSettled(kPatience);
    } else {
      std::this_thread::sleep_until(begin + views * kViewPause);
    }
    if (const auto ended = pilot.ended()) {
      return absl::UnknownError(absl::StrCat("after ", SecondsSince(begin), " s: code ",
                                             static_cast<int>(ended->error_code()), ", ",
                                             ended->error_message()));
    }
  }
  return absl::OkStatus();
}

// Measures the server's memory at the beginning, every minute and at the end.
std::vector<MemorySample> Watch(const Server& server, double seconds, Clock::time_point begin) {
  std::vector<MemorySample> samples;
  const auto look = [&] {
    samples.push_back({SecondsSince(begin), server.resident_bytes(), server.anonymous_bytes()});
  };
  for (int minute = 0; minute * 60 < seconds; ++minute) {
    std::this_thread::sleep_until(begin + std::chrono::minutes(minute));
    look();
  }
  std::this_thread::sleep_until(
      begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  look();
  return samples;
}

absl::StatusOr<SessionReport> Run(const SessionOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(const std::unique_ptr<Server> server,
                           StartServer(options.program, {"--device", options.device, "--cache-mb",
                                                         absl::StrCat(options.cache_mib)}));
  THALWEG_RETURN_IF_ERROR(CreateWorld(server->address()));
  SessionReport report;
  const Clock::time_point cold = Clock::now();
  THALWEG_RETURN_IF_ERROR(Warm(server->address(), options));
  report.warmed_s = SecondsSince(cold);

  std::vector<std::unique_ptr<Pilot>> pilots;
  for (int n = 0; n < options.sessions; ++n) {
    pilots.push_back(std::make_unique<Pilot>(server->address(), kWorld, 64));
    pilots.back()->Look(LegOf(options, n).StandingAt(0));
  }
  // Tiles for the start of a flight do not count.
  for (const auto& pilot : pilots) {
    if (!pilot->AwaitSettled(kPatience)) return absl::UnknownError("a first view did not settle");
    pilot->TakeLog();
  }
  const Clock::time_point begin = Clock::now();
  std::jthread watch([&] { report.memory = Watch(*server, options.seconds, begin); });
  const absl::Status flown = ForAll(options.sessions, [&](int n) {
    return Fly(*pilots[static_cast<std::size_t>(n)], LegOf(options, n), options, begin);
  });
  if (!flown.ok()) report.first_end = std::string(flown.message());
  report.seconds = SecondsSince(begin);
  watch.join();
  for (const auto& pilot : pilots) {
    PilotLog log = pilot->TakeLog();
    report.tiles.push_back(log.tiles);
    report.settled.push_back(log.settled);
    report.failed += log.failed;
    report.latencies_ms.insert(report.latencies_ms.end(), log.latencies_ms.begin(),
                               log.latencies_ms.end());
  }
  std::sort(report.latencies_ms.begin(), report.latencies_ms.end());
  return report;
}

}  // namespace
}  // namespace thalweg::bench

// NOLINTNEXTLINE(bugprone-exception-escape): an uncaught exception ends the program.
int main(int argc, char** argv) {
  thalweg::bench::SessionOptions options;
  CLI::App app("Measures what a server gives many sessions that fly apart over warm ground",
               "thalweg_session_bench");
  app.add_option("--thalwegd", options.program, "Path of the server program")->required();
  app.add_option("--device", options.device, "What the server computes on")->capture_default_str();
  app.add_option("--sessions", options.sessions, "Clients, each with a connection of its own")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  app.add_option("--seconds", options.seconds, "How long they fly")->capture_default_str();
  app.add_option("--speed", options.speed_m_s, "In m/s")->capture_default_str();
  app.add_option("--leg", options.leg_s, "Seconds in one direction, before they turn round")
      ->capture_default_str();
  app.add_option("--height", options.height_m, "In metres above the datum")->capture_default_str();
  app.add_option("--cache-mb", options.cache_mib, "The server's memory for tiles, in MiB")
      ->capture_default_str();
  app.add_flag("--as-served", options.as_served,
               "Go on as soon as a view is settled, not as time passes");
  app.add_flag("--json", options.json, "Print JSON");
  CLI11_PARSE(app, argc, argv);
  const auto report = thalweg::bench::Run(options);
  if (!report.ok()) {
    std::fprintf(stderr, "thalweg_session_bench: %s\n",
                 std::string(report.status().message()).c_str());
    return 1;
  }
  const bool whole = report->first_end.empty();
  std::fputs((options.json ? thalweg::bench::SessionJson(options, *report)
                           : thalweg::bench::SessionTable(options, *report))
                 .c_str(),
             stdout);
  return whole ? 0 : 1;
}
