// Backends that benchmarks share, so that what they measure is warm.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "server/backend/backend.h"

namespace thalweg::bench {

// The backend of a --device value, opened once and kept until the program ends; ends the program
// with a message when it can't be had. reference_threads matters only for "reference";
// scratch_budget_bytes is what batches may take, 0 what suits the device.
backend::Backend& Device(const std::string& device, int reference_threads = 0,
                         std::size_t scratch_budget_bytes = 0);

// Its name and driver, or why it can't be had, for reports.
std::string DeviceText(const std::string& device);

// A backend that passes everything on to another one, for owners that come and go.
std::unique_ptr<backend::Backend> Borrow(backend::Backend& owner);

}  // namespace thalweg::bench
