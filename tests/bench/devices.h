// Backends that benchmarks share, so that devices are warm.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "server/backend/backend.h"

namespace thalweg::bench {

// The backend of a --device value. It is opened once and kept. If that fails, the program ends with
// a message. threads counts only for the processor. scratch_budget_bytes is the memory for
// batches; 0 means the device's default.
backend::Backend& Device(const std::string& device, int threads = 0,
                         std::size_t scratch_budget_bytes = 0);

// For reports: a device's name and driver, or the error why it can't be opened.
std::string DeviceText(const std::string& device);

// A backend that passes all calls on to another one, for owners that live shorter than it.
std::unique_ptr<backend::Backend> Borrow(backend::Backend& owner);

}  // namespace thalweg::bench
