#include "shaders/exact/float_types.h"

namespace thalweg::exact {

FloatTypes::FloatTypes(const Module& module) {
  // A type comes after the types that it is made of, so one pass is enough.
  for (const Instruction& i : module.instructions) {
    if (i.op == spv::Op::OpTypeFloat) types_.insert(i.word(1));
    const bool compound = i.op == spv::Op::OpTypeVector || i.op == spv::Op::OpTypeMatrix;
    if (compound && types_.contains(i.word(2))) types_.insert(i.word(1));
  }
}

absl::flat_hash_set<std::uint32_t> DecoratedNoContraction(const Module& module) {
  absl::flat_hash_set<std::uint32_t> ids;
  for (const Instruction& i : module.instructions) {
    if (i.op == spv::Op::OpDecorate &&
        i.word(2) == static_cast<std::uint32_t>(spv::Decoration::NoContraction)) {
      ids.insert(i.word(1));
    }
  }
  return ids;
}

bool IsFloatArithmetic(const Instruction& instruction, const FloatTypes& types) {
  switch (instruction.op) {
    case spv::Op::OpFNegate:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpDot:
      return types.Contains(instruction.word(1));
    default:
      return false;
  }
}

}  // namespace thalweg::exact
