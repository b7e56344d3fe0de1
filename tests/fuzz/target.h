// The function that libFuzzer calls, https://llvm.org/docs/LibFuzzer.html.
#pragma once

#include <cstddef>
#include <cstdint>

// Runs one input. It must end, and nothing may break; what it returns is always 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
