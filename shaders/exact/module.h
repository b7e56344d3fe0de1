// SPIR-V as a list of instructions: just enough of the format to read and extend a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

// Asks for spv::HasResultAndType.
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

#include "absl/status/statusor.h"

namespace thalweg::exact {

using Words = std::vector<std::uint32_t>;

// One instruction: a view of its words, the first of which holds its length and opcode.
struct Instruction {
  spv::Op op;
  std::span<const std::uint32_t> words;

  // Returns a word of the instruction, or 0 past its end.
  std::uint32_t word(std::size_t at) const { return at < words.size() ? words[at] : 0; }
};

// A module's header and instructions. They are views of the words that it was read from, which must
// outlive it.
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

}  // namespace thalweg::exact
