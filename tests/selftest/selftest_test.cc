#include <map>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/backend/reference/reference_backend.h"
#include "server/selftest/suite.h"
#include "server/world/world_library.h"

namespace thalweg::selftest {
namespace {

using testing::HasSubstr;

// The reference, but for one bit of one vertex of what is read.
class TamperedBackend final : public backend::Backend {
 public:
  const std::string& device_name() const override { return reference_->device_name(); }
  const std::string& driver() const override { return reference_->driver(); }
  int MaxBatch(const world::BlockShape& shape) const override {
    return reference_->MaxBatch(shape);
  }
  absl::StatusOr<std::vector<std::shared_ptr<const backend::Block>>> Run(
      const world::LevelProgram& program, const world::BlockShape& shape,
      std::span<const backend::Job> jobs, const backend::RunOptions& options) override {
    return reference_->Run(program, shape, jobs, options);
  }
  absl::Status Read(const backend::Block& block, backend::Layer layer, const backend::Rect& rect,
                    std::span<std::int32_t> values) override {
    absl::Status status = reference_->Read(block, layer, rect, values);
    if (layer == backend::Layer::kHeight) values.back() ^= 1;
    return status;
  }
  absl::StatusOr<std::vector<std::int32_t>> ReadDeviations(const backend::Block& block) override {
    return reference_->ReadDeviations(block);
  }
  absl::StatusOr<std::shared_ptr<const backend::Block>> Upload(
      const world::BlockShape& shape, std::span<const std::int32_t> height,
      std::span<const std::int32_t> flow) override {
    return reference_->Upload(shape, height, flow);
  }

 private:
  std::unique_ptr<backend::Backend> reference_ = backend::ReferenceBackend::Create(1);
};

TEST(SuiteTest, HasThreeCasesOfEveryPreset) {
  std::map<std::string, int> cases;
  for (const Case& test_case : Suite()) ++cases[test_case.world];
  EXPECT_EQ(cases.size(), world::WorldLibrary::OfPresets()->worlds().size());
  for (const auto& [world, count] : cases) EXPECT_EQ(count, 3) << world;
}

TEST(SuiteTest, EveryCaseHasAGoldenDigest) {
  for (const Case& test_case : Suite()) {
    const auto digest = GoldenDigest(test_case);
    ASSERT_TRUE(digest.ok()) << digest.status();
    EXPECT_EQ(digest->size(), 16u) << test_case.Name();
  }
}

TEST(SuiteTest, UnknownCaseHasNone) {
  EXPECT_EQ(GoldenDigest({"atlantis", 0, "origin", {}}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(QuickCheckTest, PassesTheReference) {
  const auto reference = backend::ReferenceBackend::Create(1);
  const absl::Status status = QuickCheck(*reference);
  EXPECT_TRUE(status.ok()) << status;
}

TEST(QuickCheckTest, ReportsASingleFlippedBit) {
  TamperedBackend tampered;
  const absl::Status status = QuickCheck(tampered);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--device reference"));
}

}  // namespace
}  // namespace thalweg::selftest
