#include "server/commands/device_option.h"

#include <spdlog/spdlog.h>

#include <cstdio>

#include "absl/strings/str_split.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/backend/native/native_backend.h"
#include "server/backend/reference/reference_backend.h"
#include "server/commands/commands.h"

namespace thalweg::commands {
namespace {

int PrintDevices() {
  const auto devices = backend::ListDevices();
  if (devices.ok()) {
    for (const backend::DeviceInfo& device : *devices) {
      std::printf("%-9d  %-10s  %s, %s%s%s\n", device.index, device.type.c_str(),
                  device.name.c_str(), device.driver.c_str(),
                  device.usable() ? "" : "; can't be used: ", device.problem.c_str());
    }
  }
  const auto set = backend::InstructionSetHere();
  std::printf("%-9s  %-10s  the processor without Vulkan%s%s\n", backend::kNativeName, "cpu",
              set.ok() ? ": " : "; can't be used: ",
              set.ok() ? set->c_str() : std::string(set.status().message()).c_str());
  std::printf("%-9s  %-10s  the same, slow: it defines the right bits\n", backend::kReferenceName,
              "cpu");
  if (!devices.ok()) {
    std::printf("%-9s  %-10s  none: %s\n", "vulkan", "-",
                std::string(devices.status().message()).c_str());
  }
  return kSuccess;
}

}  // namespace

void AddDevicesCommand(CLI::App& app, int* exit_code) {
  app.add_subcommand("devices", "List the devices that --device takes")->callback([exit_code] {
    *exit_code = PrintDevices();
  });
}

void AddDeviceOption(CLI::App& command, std::string* device) {
  command
      .add_option(
          "--device", *device,
          "Device that computes: auto (the best GPU, or else native), native (the processor), "
          "vulkan "
          "(the best Vulkan device), a number that `thalwegd devices` shows, or reference (the "
          "processor, slow: it defines the right bits)")
      ->type_name("DEVICE")
      ->capture_default_str();
}

void AddThreadsOption(CLI::App& command, int* threads) {
  constexpr int kMaxThreads = 1024;
  command
      .add_option("--threads", *threads,
                  "Threads of the processor that compute, if it does; 0: one for each processor")
      ->type_name("N")
      ->envname("THALWEG_THREADS")
      ->check(CLI::Range(0, kMaxThreads))
      ->capture_default_str();
}

absl::StatusOr<std::unique_ptr<backend::Backend>> OpenBackend(
    const backend::BackendOptions& options) {
  auto backend = backend::CreateBackend(options);
  if (backend.ok()) {
    spdlog::info("device: {}, {}", (*backend)->device_name(), (*backend)->driver());
  }
  return backend;
}

absl::StatusOr<std::vector<std::string>> DevicesOf(const std::string& text) {
  const std::vector<std::string> devices = absl::StrSplit(text, ',');
  for (const std::string& device : devices) {
    if (!device.empty()) continue;
    return wire::Invalid("device", "names with commas between", absl::StrCat("'", text, "'"));
  }
  return devices;
}

absl::StatusOr<std::vector<std::unique_ptr<backend::Backend>>> OpenBackends(
    const backend::BackendOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(const std::vector<std::string> devices,
                           DevicesOf(options.vulkan.device));
  std::vector<std::unique_ptr<backend::Backend>> backends;
  for (const std::string& device : devices) {
    backend::BackendOptions one = options;
    one.vulkan.device = device;
    THALWEG_ASSIGN_OR_RETURN(backends.emplace_back(), OpenBackend(one));
  }
  return backends;
}

}  // namespace thalweg::commands
