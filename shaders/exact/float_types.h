// Which of a module's types hold floats, and which of its results are decorated.
#pragma once

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "shaders/exact/module.h"

namespace thalweg::exact {

// The types of a module that are floats, or vectors or matrices of them.
class FloatTypes {
 public:
  explicit FloatTypes(const Module& module);

  bool Contains(std::uint32_t type) const { return types_.contains(type); }

 private:
  absl::flat_hash_set<std::uint32_t> types_;
};

// The ids that NoContraction decorates.
absl::flat_hash_set<std::uint32_t> DecoratedNoContraction(const Module& module);

// Whether the instruction computes a float by arithmetic, exact or not: what NoContraction is for.
bool IsFloatArithmetic(const Instruction& instruction, const FloatTypes& types);

}  // namespace thalweg::exact
