#include "shaders/exact/exact.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <array>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::exact {
namespace {

constexpr std::size_t kHeaderWords = 5;

// The types of a module that are floats, or vectors or matrices of them.
class FloatTypes {
 public:
  explicit FloatTypes(const Module& module);

  bool Contains(std::uint32_t type) const { return types_.contains(type); }

 private:
  absl::flat_hash_set<std::uint32_t> types_;
};

FloatTypes::FloatTypes(const Module& module) {
  // A type comes after the types that it is made of, so one pass is enough.
  for (const Instruction& i : module.instructions) {
    if (i.op == spv::Op::OpTypeFloat) types_.insert(i.word(1));
    const bool compound = i.op == spv::Op::OpTypeVector || i.op == spv::Op::OpTypeMatrix;
    if (compound && types_.contains(i.word(2))) types_.insert(i.word(1));
  }
}

// The ids that NoContraction decorates.
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

// Whether the instruction computes a float by arithmetic, exact or not: what NoContraction is for.
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

// Where annotations end: the first type, constant, variable or function (SPIR-V 1.6, "Logical
// Layout").
bool EndsAnnotations(spv::Op op) {
  if (op >= spv::Op::OpTypeVoid && op <= spv::Op::OpTypeForwardPointer) return true;
  if (op >= spv::Op::OpConstantTrue && op <= spv::Op::OpSpecConstantOp) return true;
  return op == spv::Op::OpVariable || op == spv::Op::OpUndef || op == spv::Op::OpFunction;
}

bool IsPreamble(spv::Op op) {
  return op == spv::Op::OpCapability || op == spv::Op::OpExtension ||
         op == spv::Op::OpExtInstImport || op == spv::Op::OpMemoryModel ||
         op == spv::Op::OpEntryPoint || op == spv::Op::OpExecutionMode ||
         op == spv::Op::OpExecutionModeId;
}

bool IsCapability(spv::Op op) { return op == spv::Op::OpCapability; }
bool IsCapabilityOrExtension(spv::Op op) {
  return op == spv::Op::OpCapability || op == spv::Op::OpExtension;
}

// Returns the module with `insertion` before the first instruction for which `stays` is false.
template <typename Predicate>
Words InsertAfter(std::span<const std::uint32_t> words, const Module& module,
                  const Words& insertion, Predicate stays) {
  const auto at = std::find_if_not(module.instructions.begin(), module.instructions.end(),
                                   [&](const Instruction& i) { return stays(i.op); });
  const std::size_t offset = at == module.instructions.end()
                                 ? words.size()
                                 : static_cast<std::size_t>(at->words.data() - words.data());
  Words out(words.begin(), words.end());
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(offset), insertion.begin(), insertion.end());
  return out;
}

// FindInexact: reports everything that is not known to be exact.

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

absl::StatusOr<Module> ReadModule(std::span<const std::uint32_t> words) {
  if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) {
    return absl::InvalidArgumentError("read SPIR-V: no module, or one of the other byte order");
  }
  Module module{words.first(kHeaderWords), {}};
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> spv::WordCountShift;
    if (count == 0 || count > words.size() - at) {
      return absl::InvalidArgumentError(
          absl::StrCat("read SPIR-V: the instruction at word ", at, " passes the end"));
    }
    module.instructions.push_back(
        {static_cast<spv::Op>(words[at] & spv::OpCodeMask), words.subspan(at, count)});
    at += count;
  }
  return module;
}

std::uint32_t OpWord(spv::Op op, std::size_t word_count) {
  return (static_cast<std::uint32_t>(word_count) << spv::WordCountShift) |
         static_cast<std::uint32_t>(op);
}

void Append(Words& words, spv::Op op, std::initializer_list<std::uint32_t> operands) {
  words.push_back(OpWord(op, operands.size() + 1));
  words.insert(words.end(), operands);
}

absl::StatusOr<Words> Decorate(std::span<const std::uint32_t> words) {
  THALWEG_ASSIGN_OR_RETURN(const Module module, ReadModule(words));
  const absl::flat_hash_set<std::uint32_t> decorated = DecoratedNoContraction(module);
  const FloatTypes types(module);
  Words decorations;
  for (const Instruction& i : module.instructions) {
    if (IsFloatArithmetic(i, types) && !decorated.contains(i.word(2))) {
      Append(decorations, spv::Op::OpDecorate,
             {i.word(2), static_cast<std::uint32_t>(spv::Decoration::NoContraction)});
    }
  }
  return InsertAfter(words, module, decorations, [](spv::Op op) { return !EndsAnnotations(op); });
}

absl::StatusOr<Words> AddRoundingModeRte(std::span<const std::uint32_t> words) {
  // "SPV_KHR_float_controls", needed before SPIR-V 1.4.
  constexpr std::array<std::uint32_t, 6> kFloatControls = {0x5f565053, 0x5f52484b, 0x616f6c66,
                                                           0x6f635f74, 0x6f72746e, 0x0000736c};
  constexpr std::uint32_t kVersion14 = 0x00010400;
  Words out(words.begin(), words.end());

  THALWEG_ASSIGN_OR_RETURN(Module module, ReadModule(out));
  Words modes;
  for (const Instruction& i : module.instructions) {
    if (i.op != spv::Op::OpEntryPoint || i.words.size() < 3) continue;
    Append(modes, spv::Op::OpExecutionMode,
           {i.word(2), static_cast<std::uint32_t>(spv::ExecutionMode::RoundingModeRTE), 32});
  }
  Words next = InsertAfter(out, module, modes, IsPreamble);

  if (module.version() < kVersion14) {
    out.swap(next);
    THALWEG_ASSIGN_OR_RETURN(module, ReadModule(out));
    Words extension = {OpWord(spv::Op::OpExtension, 1 + kFloatControls.size())};
    extension.insert(extension.end(), kFloatControls.begin(), kFloatControls.end());
    next = InsertAfter(out, module, extension, IsCapabilityOrExtension);
  }

  out.swap(next);
  THALWEG_ASSIGN_OR_RETURN(module, ReadModule(out));
  Words capability;
  Append(capability, spv::Op::OpCapability,
         {static_cast<std::uint32_t>(spv::Capability::RoundingModeRTE)});
  return InsertAfter(out, module, capability, IsCapability);
}

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
