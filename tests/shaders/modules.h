// Built modules, and functions that put faults into them.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "shaders/exact/exact.h"
#include "shaders/spirv.h"

namespace thalweg::exact {

inline Words BuiltModule(std::string_view stage) {
  const auto words = spirv::Find(stage, spirv::Variant::kAtomic64);
  EXPECT_FALSE(words.empty()) << stage;
  return {words.begin(), words.end()};
}

// The module with each instruction rewritten. Instructions that become empty are dropped.
inline Words Rewritten(const Words& words, const std::function<void(Words& instruction)>& rewrite) {
  const auto module = ReadModule(words);
  EXPECT_TRUE(module.ok()) << module.status();
  Words out(module->header.begin(), module->header.end());
  for (const Instruction& i : module->instructions) {
    Words instruction(i.words.begin(), i.words.end());
    rewrite(instruction);
    out.insert(out.end(), instruction.begin(), instruction.end());
  }
  return out;
}

inline spv::Op OpOf(const Words& instruction) {
  return static_cast<spv::Op>(instruction[0] & spv::OpCodeMask);
}

inline Words WithoutDecorations(const Words& words) {
  return Rewritten(words, [](Words& i) {
    const auto no_contraction = static_cast<std::uint32_t>(spv::Decoration::NoContraction);
    if (OpOf(i) == spv::Op::OpDecorate && i[2] == no_contraction) i.clear();
  });
}

// The module with the first operation `from` replaced by `to`, which must have the same form.
inline Words WithOperation(const Words& words, spv::Op from, spv::Op to) {
  bool done = false;
  Words out = Rewritten(words, [&](Words& i) {
    if (done || OpOf(i) != from) return;
    i[0] = OpWord(to, i.size());
    done = true;
  });
  EXPECT_TRUE(done) << "no operation " << static_cast<unsigned>(from);
  return out;
}

// The module with the first extended instruction of one kind replaced.
inline Words WithExtended(const Words& words, std::uint32_t from, std::uint32_t to) {
  bool done = false;
  Words out = Rewritten(words, [&](Words& i) {
    if (done || OpOf(i) != spv::Op::OpExtInst || i[4] != from) return;
    i[4] = to;
    done = true;
  });
  EXPECT_TRUE(done) << "no extended instruction " << from;
  return out;
}

}  // namespace thalweg::exact
