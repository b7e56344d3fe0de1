// A device's description, for people.
#pragma once

#include <string>

namespace thalweg::backend {

struct DeviceInfo {
  // The value for --device.
  int index = 0;
  std::string name;
  // "discrete", "integrated", "virtual", "cpu" or "other".
  std::string type;
  // The name and version of its driver.
  std::string driver;
  // The reason why it can't be used; empty if it can.
  std::string problem;

  bool usable() const { return problem.empty(); }
};

}  // namespace thalweg::backend
