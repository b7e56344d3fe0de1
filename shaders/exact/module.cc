#include "shaders/exact/module.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace thalweg::exact {
namespace {

constexpr std::size_t kHeaderWords = 5;

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

}  // namespace thalweg::exact
