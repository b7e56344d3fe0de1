// Siblings that are computed as one block have the same bits as siblings computed one by one.
#include <array>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "server/backend/reference/reference_backend.h"
#include "server/field/field.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

using Answer = absl::StatusOr<TileValues>;

class QuadFieldTest : public testing::Test {
 protected:
  static std::unique_ptr<Field> MakeField() {
    return std::make_unique<Field>(backend::CreateReference(1), FieldOptions{});
  }

  TileRequest At(const wire::TileKey& key) const {
    return {.world = world_,
            .key = key,
            .layers = {backend::Layer::kHeight, backend::Layer::kWater},
            .margin = 1};
  }

  TileValues Fetch(Field& field, const wire::TileKey& key) const {
    std::promise<Answer> promise;
    field.Request(At(key), [&promise](Answer values) { promise.set_value(std::move(values)); });
    Answer values = promise.get_future().get();
    EXPECT_TRUE(values.ok()) << values.status();
    return values.ok() ? *std::move(values) : TileValues{};
  }

  // Asks for all tiles on the field's thread, so that it computes none before it knows all.
  std::vector<TileValues> FetchTogether(Field& field, const std::vector<wire::TileKey>& keys) {
    std::vector<std::promise<Answer>> promises(keys.size());
    field.Request(At({0, 0, 0, 0}), [&](const Answer&) {
      for (std::size_t n = 0; n < keys.size(); ++n) {
        field.Request(At(keys[n]),
                      [&promises, n](Answer values) { promises[n].set_value(std::move(values)); });
      }
    });
    std::vector<TileValues> all;
    for (std::promise<Answer>& promise : promises) {
      Answer values = promise.get_future().get();
      EXPECT_TRUE(values.ok()) << values.status();
      all.push_back(values.ok() ? *std::move(values) : TileValues{});
    }
    return all;
  }

  const std::shared_ptr<const world::World> world_ = WaterWorld();
};

TEST_F(QuadFieldTest, SiblingsComputedTogetherEqualThoseComputedAlone) {
  const auto together = MakeField();
  const auto alone = MakeField();
  const std::vector<wire::TileKey> siblings{{0, 1, 0, 0}, {0, 1, 1, 0}, {0, 1, 0, 1}, {0, 1, 1, 1}};
  const std::vector<TileValues> values = FetchTogether(*together, siblings);
  // One run for the parent, and one for all four siblings.
  EXPECT_EQ(together->stats().batches, 2u);
  EXPECT_EQ(together->stats().blocks_computed, 5u);
  EXPECT_EQ(together->stats().blocks_on_device, 2u);
  for (std::size_t n = 0; n < siblings.size(); ++n) {
    const TileValues one = Fetch(*alone, siblings[n]);
    EXPECT_TRUE(values[n].planes == one.planes) << "sibling " << n;
    EXPECT_EQ(values[n].geometric_error, one.geometric_error) << "sibling " << n;
  }
  EXPECT_EQ(alone->stats().batches, 5u);
  // Each of these children starts from another quarter of the quad.
  for (const wire::TileKey& key : {wire::TileKey{0, 2, 1, 0}, wire::TileKey{0, 2, 2, 1},
                                   wire::TileKey{0, 2, 0, 3}, wire::TileKey{0, 2, 3, 3}}) {
    EXPECT_TRUE(Fetch(*together, key).planes == Fetch(*alone, key).planes)
        << "child " << key.x << ", " << key.y;
  }
}

TEST_F(QuadFieldTest, TheComparisonNoticesAnotherTile) {
  const auto field = MakeField();
  EXPECT_FALSE(Fetch(*field, {0, 1, 0, 0}).planes == Fetch(*field, {0, 1, 1, 0}).planes);
}

}  // namespace
}  // namespace thalweg::field
