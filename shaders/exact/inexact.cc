// FindInexact: reports everything that is not known to be exact.
#include <spirv/unified1/GLSL.std.450.h>

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "shaders/exact/exact.h"
#include "shaders/exact/float_types.h"

namespace thalweg::exact {
namespace {

// Operations that move floats, convert them exactly, or make them from constants.
bool MovesFloats(spv::Op op) {
  switch (op) {
    case spv::Op::OpConstant:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpConstantNull:
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionCall:
    case spv::Op::OpLoad:
    case spv::Op::OpPhi:
    case spv::Op::OpSelect:
    case spv::Op::OpCopyObject:
    case spv::Op::OpBitcast:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
      return true;
    default:
      return false;
  }
}

bool IsExactArithmetic(spv::Op op) {
  return op == spv::Op::OpFNegate || op == spv::Op::OpFAdd || op == spv::Op::OpFSub ||
         op == spv::Op::OpFMul;
}

// Operations that test floats for infinity or NaN, which devices need not keep. Their result is not
// a float.
bool TestsFloatKind(spv::Op op) { return (op >= spv::Op::OpIsNan && op <= spv::Op::OpUnordered); }

bool IsExactExtended(std::uint32_t instruction) {
  switch (instruction) {
    case GLSLstd450FAbs:
    case GLSLstd450Floor:
    case GLSLstd450FMin:
    case GLSLstd450FMax:
    case GLSLstd450FClamp:
    case GLSLstd450SAbs:
    case GLSLstd450SSign:
    case GLSLstd450SMin:
    case GLSLstd450UMin:
    case GLSLstd450SMax:
    case GLSLstd450UMax:
    case GLSLstd450SClamp:
    case GLSLstd450UClamp:
    case GLSLstd450FindILsb:
    case GLSLstd450FindSMsb:
    case GLSLstd450FindUMsb:
      return true;
    default:
      return false;
  }
}

// Decorations that let a device compute other bits.
bool Relaxes(std::uint32_t decoration) {
  return decoration == static_cast<std::uint32_t>(spv::Decoration::RelaxedPrecision) ||
         decoration == static_cast<std::uint32_t>(spv::Decoration::FPFastMathMode) ||
         decoration == static_cast<std::uint32_t>(spv::Decoration::FPRoundingMode);
}

// Finds what is wrong, one instruction at a time.
class Finder {
 public:
  explicit Finder(const Module& module)
      : types_(module), decorated_(DecoratedNoContraction(module)) {}

  // Returns what is wrong with the instruction; empty if nothing is.
  std::string Find(const Instruction& i) const {
    const std::string op = absl::StrCat("operation ", static_cast<std::uint32_t>(i.op));
    if (i.op == spv::Op::OpTypeFloat && i.word(2) != 32) {
      return absl::StrCat("a float of ", i.word(2), " bits");
    }
    if (i.op == spv::Op::OpDecorate && Relaxes(i.word(2))) {
      return absl::StrCat("%", i.word(1), " is decorated ", i.word(2));
    }
    if (i.op == spv::Op::OpMemberDecorate && Relaxes(i.word(3))) {
      return absl::StrCat("a member of %", i.word(1), " is decorated ", i.word(3));
    }
    if (TestsFloatKind(i.op)) return absl::StrCat("%", i.word(2), ": ", op, " tests for NaN");
    if (i.op == spv::Op::OpExtInst) {
      if (IsExactExtended(i.word(4))) return "";
      return absl::StrCat("%", i.word(2), ": GLSL.std.450 instruction ", i.word(4));
    }
    if (i.words.size() < 3 || !MakesResult(i.op) || !types_.Contains(i.word(1))) return "";
    if (MovesFloats(i.op)) return "";
    if (!IsExactArithmetic(i.op)) return absl::StrCat("%", i.word(2), ": ", op);
    if (!decorated_.contains(i.word(2))) {
      return absl::StrCat("%", i.word(2), ": ", op, " may be contracted");
    }
    return "";
  }

 private:
  // Whether the instruction's first operand is the type of a result.
  static bool MakesResult(spv::Op op) {
    bool has_result = false;
    bool has_type = false;
    spv::HasResultAndType(op, &has_result, &has_type);
    return has_result && has_type;
  }

  FloatTypes types_;
  absl::flat_hash_set<std::uint32_t> decorated_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> FindInexact(std::span<const std::uint32_t> words) {
  THALWEG_ASSIGN_OR_RETURN(const Module module, ReadModule(words));
  const Finder finder(module);
  std::vector<std::string> found;
  for (const Instruction& i : module.instructions) {
    if (std::string what = finder.Find(i); !what.empty()) found.push_back(std::move(what));
  }
  return found;
}

}  // namespace thalweg::exact
