// The invariant SpirvIsExact, and its twins.
#include "gmock/gmock.h"
#include "tests/shaders/modules.h"

namespace thalweg::exact {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Inexact(std::span<const std::uint32_t> words) {
  auto found = FindInexact(words);
  EXPECT_TRUE(found.ok()) << found.status();
  return std::move(found).value();
}

TEST(SpirvIsExact, EveryBuiltModule) {
  ASSERT_GE(spirv::Modules().size(), 64u);
  for (const spirv::Module& module : spirv::Modules()) {
    EXPECT_THAT(Inexact(module.words), IsEmpty())
        << module.stage << ", variant " << static_cast<int>(module.variant);
  }
}

TEST(SpirvIsExact, EveryModuleWithTheRoundingModeDeclared) {
  for (const spirv::Module& module : spirv::Modules()) {
    const auto rounded = AddRoundingModeRte(module.words);
    ASSERT_TRUE(rounded.ok()) << rounded.status();
    EXPECT_THAT(Inexact(*rounded), IsEmpty()) << module.stage;
  }
}

TEST(SpirvIsExactTwin, ReportsAnUndecoratedModule) {
  for (const char* stage : {"base", "upsample", "droplet_scatter", "droplet_settle"}) {
    EXPECT_THAT(Inexact(WithoutDecorations(BuiltModule(stage))),
                Contains(HasSubstr("may be contracted")))
        << stage;
  }
}

TEST(SpirvIsExactTwin, ReportsOneMissingDecoration) {
  bool dropped = false;
  const Words words = Rewritten(BuiltModule("droplet_settle"), [&](Words& i) {
    const auto no_contraction = static_cast<std::uint32_t>(spv::Decoration::NoContraction);
    if (dropped || OpOf(i) != spv::Op::OpDecorate || i[2] != no_contraction) return;
    i.clear();
    dropped = true;
  });
  EXPECT_EQ(Inexact(words).size(), 1u);
}

TEST(SpirvIsExactTwin, ReportsADivision) {
  const Words words =
      WithOperation(BuiltModule("droplet_settle"), spv::Op::OpFMul, spv::Op::OpFDiv);
  EXPECT_THAT(Inexact(words), Contains(HasSubstr("operation 136")));
}

TEST(SpirvIsExactTwin, ReportsASquareRoot) {
  const Words words = WithExtended(BuiltModule("droplet_scatter"), GLSLstd450Floor, GLSLstd450Sqrt);
  EXPECT_THAT(Inexact(words), Contains(HasSubstr("GLSL.std.450 instruction 31")));
}

TEST(SpirvIsExactTwin, ReportsAFusedMultiply) {
  const Words words = WithExtended(BuiltModule("droplet_scatter"), GLSLstd450FMin, GLSLstd450Fma);
  EXPECT_THAT(Inexact(words), Contains(HasSubstr("GLSL.std.450 instruction 50")));
}

TEST(SpirvIsExactTwin, ReportsRelaxedPrecision) {
  const Words words = Rewritten(BuiltModule("droplet_settle"), [](Words& i) {
    const auto no_contraction = static_cast<std::uint32_t>(spv::Decoration::NoContraction);
    if (OpOf(i) != spv::Op::OpDecorate || i[2] != no_contraction) return;
    Append(i, spv::Op::OpDecorate,
           {i[1], static_cast<std::uint32_t>(spv::Decoration::RelaxedPrecision)});
  });
  EXPECT_THAT(Inexact(words), Contains(HasSubstr("is decorated 0")));
}

TEST(SpirvIsExactTwin, ReportsOtherWidths) {
  const Words words = Rewritten(BuiltModule("base"), [](Words& i) {
    if (OpOf(i) == spv::Op::OpTypeFloat) i[2] = 16;
  });
  EXPECT_THAT(Inexact(words), Contains("a float of 16 bits"));
}

}  // namespace
}  // namespace thalweg::exact
