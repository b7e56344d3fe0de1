#include "gmock/gmock.h"
#include "tests/backend/test_level.h"

namespace thalweg::backend {
namespace {

using ::testing::IsEmpty;

TEST(DeviceLossTest, TheNextRunGivesTheSameBits) {
  const auto world = TestWorld(9);
  const auto backend = Open(TestOptions());
  const auto before = RunTop(*backend, *world);
  ASSERT_TRUE(before.ok()) << before.status();
  const std::vector<std::int32_t> expected = Everything(*backend, **before);

  backend->SimulateDeviceLoss();
  const auto lost = RunTop(*backend, *world);
  EXPECT_EQ(lost.status().code(), absl::StatusCode::kUnavailable) << lost.status();

  const auto after = RunTop(*backend, *world);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(Everything(*backend, **after), expected);
  EXPECT_THAT(backend->validation_messages(), IsEmpty());
}

TEST(DeviceLossTest, OlderBlocksAreStale) {
  const auto world = TestWorld(9);
  const auto backend = Open(TestOptions());
  const auto top = RunTop(*backend, *world);
  ASSERT_TRUE(top.ok()) << top.status();
  backend->SimulateDeviceLoss();
  EXPECT_EQ(RunChild(*backend, *world, *top).status().code(), absl::StatusCode::kUnavailable);

  EXPECT_EQ(RunChild(*backend, *world, *top).status().code(),
            absl::StatusCode::kFailedPrecondition);
  std::int32_t value = 0;
  EXPECT_EQ(backend->Read(**top, Layer::kHeight, {0, 0, 1, 1}, {&value, 1}).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(backend->ReadDeviations(**top).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(DeviceLossTest, BatchesKeepTheirSize) {
  const auto world = TestWorld(9);
  const auto backend = Open(TestOptions());
  const world::BlockShape shape = TestShapes(*world)[0];
  const int before = backend->MaxBatch(shape);
  backend->SimulateDeviceLoss();
  EXPECT_FALSE(RunTop(*backend, *world).ok());
  EXPECT_EQ(backend->MaxBatch(shape), before);
}

}  // namespace
}  // namespace thalweg::backend
