#include "shaders/exact/exact.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "tests/shaders/modules.h"

namespace thalweg::exact {
namespace {

using ::testing::IsEmpty;

int CountOf(const Words& words, spv::Op op, std::uint32_t second_operand) {
  const auto module = ReadModule(words);
  EXPECT_TRUE(module.ok()) << module.status();
  return static_cast<int>(std::count_if(
      module->instructions.begin(), module->instructions.end(),
      [&](const Instruction& i) { return i.op == op && i.word(2) == second_operand; }));
}

TEST(DecorateTest, RestoresRemovedDecorations) {
  for (const spirv::Module& module : spirv::Modules()) {
    const Words built(module.words.begin(), module.words.end());
    const auto decorated = Decorate(WithoutDecorations(built));
    ASSERT_TRUE(decorated.ok()) << decorated.status();
    const auto found = FindInexact(*decorated);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_THAT(*found, IsEmpty()) << module.stage;
    EXPECT_EQ(decorated->size(), built.size()) << module.stage;
  }
}

TEST(DecorateTest, DoesNotChangeADecoratedModule) {
  const Words built = BuiltModule("droplet_settle");
  const auto again = Decorate(built);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, built);
}

TEST(DecorateTest, DecoratesEveryOperationOnce) {
  const Words built = BuiltModule("droplet_scatter");
  const auto module = ReadModule(built);
  ASSERT_TRUE(module.ok()) << module.status();
  const auto operations =
      std::count_if(module->instructions.begin(), module->instructions.end(), [](const auto& i) {
        return i.op == spv::Op::OpFAdd || i.op == spv::Op::OpFSub || i.op == spv::Op::OpFMul ||
               i.op == spv::Op::OpFNegate;
      });
  EXPECT_GT(operations, 20);
  EXPECT_EQ(CountOf(built, spv::Op::OpDecorate,
                    static_cast<std::uint32_t>(spv::Decoration::NoContraction)),
            operations);
}

TEST(AddRoundingModeRteTest, NamesEveryEntryPointOnce) {
  const auto rounded = AddRoundingModeRte(BuiltModule("droplet_scatter"));
  ASSERT_TRUE(rounded.ok()) << rounded.status();
  EXPECT_EQ(CountOf(*rounded, spv::Op::OpExecutionMode,
                    static_cast<std::uint32_t>(spv::ExecutionMode::RoundingModeRTE)),
            1);
}

TEST(AddRoundingModeRteTest, NamesTheExtensionBeforeVersion14) {
  Words words = BuiltModule("droplet_scatter");
  const auto size_of = [](const Words& module) {
    const auto rounded = AddRoundingModeRte(module);
    EXPECT_TRUE(rounded.ok()) << rounded.status();
    return rounded->size();
  };
  const std::size_t newer = size_of(words);
  words[1] = 0x00010300;
  EXPECT_EQ(size_of(words), newer + 7);
}

TEST(ReadModuleTest, RejectsInvalidModules) {
  const Words built = BuiltModule("base");
  EXPECT_FALSE(ReadModule({}).ok());
  EXPECT_FALSE(ReadModule(Words(8, 0)).ok());
  for (const std::size_t cut : {4U, 6U}) {
    EXPECT_FALSE(ReadModule(std::span(built).first(cut)).ok()) << cut;
  }
  Words endless = built;
  endless[5] = 0;
  EXPECT_FALSE(ReadModule(endless).ok());
}

}  // namespace
}  // namespace thalweg::exact
