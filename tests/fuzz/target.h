// The function that libFuzzer calls, https://llvm.org/docs/LibFuzzer.html.
#pragma once

#include <cstddef>
#include <cstdint>

// Runs one input. It must end without a fault. It always returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
