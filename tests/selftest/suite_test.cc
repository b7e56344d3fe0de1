#include "server/selftest/suite.h"

#include <map>
#include <memory>
#include <random>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/backend/native/instruction_set.h"
#include "server/backend/native/native_backend.h"
#include "server/backend/reference/reference_backend.h"
#include "server/world/world_library.h"
#include "tests/backend/forwarding_backend.h"
#include "tests/size.h"

namespace thalweg::selftest {
namespace {

using testing::HasSubstr;

// Flips one bit of one vertex in what is read.
class TamperedBackend final : public backend::ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;

  absl::StatusOr<std::vector<backend::CutValues>> ReadCuts(
      std::span<const backend::Cut> cuts) override {
    auto values = ForwardingBackend::ReadCuts(cuts);
    if (!values.ok()) return values;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      for (std::size_t plane = 0; plane < cuts[i].layers.size(); ++plane) {
        if (cuts[i].layers[plane] != backend::Layer::kHeight) continue;
        (*values)[i].planes[plane].back() ^= 1;
      }
    }
    return values;
  }
};

TEST(SuiteTest, HasThreeCasesOfEveryWorld) {
  std::map<std::string, int> cases;
  for (const Case& test_case : Suite()) ++cases[test_case.world];
  const auto presets = world::WorldLibrary::OfPresets();
  EXPECT_EQ(cases.size(), presets->worlds().size());
  for (const auto& world : presets->worlds()) {
    EXPECT_EQ(cases[world->name()], 3) << world->name();
  }
}

TEST(SuiteTest, EveryCaseHasAGoldenDigest) {
  for (const Case& test_case : Suite()) {
    const auto digest = GoldenDigest(test_case);
    ASSERT_TRUE(digest.ok()) << digest.status();
    EXPECT_EQ(digest->size(), 16u) << test_case.Name();
  }
}

TEST(SuiteTest, AnUnknownCaseHasNoGoldenDigest) {
  EXPECT_EQ(GoldenDigest({"atlantis", 0, "origin", {}}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(QuickCheckTest, PassesTheReference) {
  const auto reference = backend::CreateReference(1);
  const absl::Status status = QuickCheck(*reference);
  EXPECT_TRUE(status.ok()) << status;
}

// The best one runs the whole self-test (selftest.native).
TEST(InstructionSetTest, EachGivesTheGoldenBits) {
  std::mt19937_64 random(7);
  for (const backend::native::InstructionSet& set : backend::native::InstructionSets()) {
    if (!set.runs_here) continue;
    const auto native = backend::CreateNative({.threads = 2, .instruction_set = set.name});
    ASSERT_TRUE(native.ok()) << native.status();
    for (const Case& test_case : Suite()) {
      // One of four, other ones for each.
      if (!IsExhaustive() && random() % 4 != 0) continue;
      const auto digest = Digest(**native, test_case);
      ASSERT_TRUE(digest.ok()) << digest.status();
      EXPECT_EQ(*digest, *GoldenDigest(test_case)) << test_case.Name() << " with " << set.name;
    }
  }
}

TEST(QuickCheckTest, ReportsASingleFlippedBit) {
  const auto reference = backend::CreateReference(1);
  TamperedBackend tampered(*reference);
  const absl::Status status = QuickCheck(tampered);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--device reference"));
}

}  // namespace
}  // namespace thalweg::selftest
