// Makes SPIR-V modules compute the same bits on every device, and finds modules that would not.
// Vulkan lets a driver contract, re-associate and approximate float operations (Vulkan 1.3,
// "Precision and Operation of SPIR-V Instructions"). These operations are exact to the last bit, if
// NoContraction forbids fusing them: + - *, negation, comparison, conversion, min, max, abs and
// floor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

// Asks for spv::HasResultAndType.
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

#include "absl/status/statusor.h"

namespace thalweg::exact {

// SPIR-V: the words of a module.
using Words = std::vector<std::uint32_t>;

// One instruction: a view of its words, the first of which holds its length and opcode.
struct Instruction {
  spv::Op op;
  std::span<const std::uint32_t> words;

  // Returns a word of the instruction, or 0 past its end.
  std::uint32_t word(std::size_t at) const { return at < words.size() ? words[at] : 0; }
};

// A module as a list of instructions: just enough of the format to read and extend it. Header and
// instructions are views of the words that it was read from, which must outlive it.
struct Module {
  std::span<const std::uint32_t> header;
  std::vector<Instruction> instructions;

  std::uint32_t version() const { return header[1]; }
};

// Splits a module. INVALID_ARGUMENT unless it begins with the magic number in this machine's byte
// order and its instructions fill it exactly.
absl::StatusOr<Module> ReadModule(std::span<const std::uint32_t> words);

// Returns the first word of an instruction with this many words.
std::uint32_t OpWord(spv::Op op, std::size_t word_count);

// Appends an instruction.
void Append(Words& words, spv::Op op, std::initializer_list<std::uint32_t> operands);

// Returns the module with NoContraction on every float arithmetic result. INVALID_ARGUMENT for
// words that are not a module.
absl::StatusOr<Words> Decorate(std::span<const std::uint32_t> words);

// Returns the module with 32-bit floats rounded to nearest even in every entry point, for devices
// with shaderRoundingModeRTEFloat32. INVALID_ARGUMENT if it is not a module.
absl::StatusOr<Words> AddRoundingModeRte(std::span<const std::uint32_t> words);

// Lists what in the module may differ between devices, one line each: float operations that are not
// exact or not decorated, floats of other than 32 bits, and relaxed precision. Empty: the module is
// exact.
absl::StatusOr<std::vector<std::string>> FindInexact(std::span<const std::uint32_t> words);

}  // namespace thalweg::exact
