#include "shaders/exact/exact.h"

#include <algorithm>
#include <array>

#include "absl/container/flat_hash_set.h"
#include "proto/wire/status_macros.h"
#include "shaders/exact/float_types.h"

namespace thalweg::exact {
namespace {

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

}  // namespace

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

}  // namespace thalweg::exact
