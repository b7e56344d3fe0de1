#include <cstdio>
#include <string>

#include "server/backend/factory/backend_factory.h"
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

}  // namespace thalweg::commands
