#include "server/backend/native/instruction_set.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "server/backend/native/processor.h"

namespace thalweg::backend::native {

// The table of each set that was compiled (kernel_table.cc.in).
#define THALWEG_INSTRUCTION_SET(set) \
  namespace set {                    \
  extern const KernelTable kTable;   \
  }
#include "instruction_sets.inc"
#undef THALWEG_INSTRUCTION_SET

namespace {

std::string NamesOf(const std::vector<InstructionSet>& sets) {
  return absl::StrJoin(sets, ", ", [](std::string* out, const InstructionSet& set) {
    absl::StrAppend(out, set.name);
  });
}

}  // namespace

std::vector<InstructionSet> InstructionSets() {
  std::map<std::string, const KernelTable*> compiled = {
#define THALWEG_INSTRUCTION_SET(set) {#set, &set::kTable},
#include "instruction_sets.inc"
#undef THALWEG_INSTRUCTION_SET
  };
  std::vector<InstructionSet> sets;
  for (const std::string& name : SetsOfProcessor()) {
    if (const auto found = compiled.extract(name)) sets.push_back({name, true, found.mapped()});
  }
  for (const auto& [name, kernels] : compiled) sets.push_back({name, false, kernels});
  return sets;
}

absl::StatusOr<InstructionSet> Choose(const std::vector<InstructionSet>& sets,
                                      const std::string& name) {
  const auto chosen = std::find_if(sets.begin(), sets.end(), [&](const InstructionSet& set) {
    return name.empty() ? set.runs_here : name == set.name;
  });
  if (chosen == sets.end()) {
    if (!name.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("invalid instruction set: expected ", NamesOf(sets), ", got '", name, "'"));
    }
    return absl::FailedPreconditionError(
        absl::StrCat("this program's kernels are compiled for ", NamesOf(sets),
                     ", and this processor has only ", absl::StrJoin(SetsOfProcessor(), ", "),
                     ": build it with 'deploy/build --sets all', or use another --device"));
  }
  if (!chosen->runs_here) {
    return absl::FailedPreconditionError(
        absl::StrCat("this processor does not have the instruction set '", name, "'"));
  }
  return *chosen;
}

}  // namespace thalweg::backend::native
