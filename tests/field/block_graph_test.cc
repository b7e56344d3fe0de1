#include "server/field/block_graph.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/field/test_block.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using world::BlockKey;

class BlockGraphTest : public ::testing::Test {
 protected:
  BlockGraphTest() : plans_(256), plan_(plans_.Of(TestWorld())) {}

  Demand At(const BlockKey& key, Priority priority = Priority::kInteractive,
            const backend::LayerSet& layers = {}) {
    return {plan_, key, layers, priority};
  }

  Batch Take(int limit = 100) {
    return graph_.Take([limit](const Batch&) { return limit; });
  }

  std::vector<BlockGraph::RequestId> Finish(const Batch& batch) {
    std::vector<BlockPtr> results(batch.blocks.size() / batch.BlocksAJob());
    for (BlockPtr& result : results) {
      result = MakeTestBlock(batch.layers, batch.Shape().block_cells);
    }
    std::vector<BlockGraph::RequestId> requests;
    for (const auto& answer : graph_.Finish(batch, results)) requests.push_back(answer.request);
    return requests;
  }

  BlockStore store_{std::size_t{1} << 40};
  BlockGraph graph_{&store_};
  WorldPlans plans_;
  std::shared_ptr<const WorldPlan> plan_;
};

TEST_F(BlockGraphTest, AChainIsComputedFromItsRoot) {
  EXPECT_EQ(graph_.Add(1, At({0, 2, -1, 5})), nullptr);
  EXPECT_EQ(graph_.queued(), 3u);
  std::vector<BlockKey> order;
  while (graph_.HasReady()) {
    const Batch batch = Take();
    ASSERT_EQ(batch.blocks.size(), 1u);
    EXPECT_EQ(batch.parents[0] == nullptr, batch.level == 0);
    order.push_back(batch.blocks[0]);
    EXPECT_EQ(Finish(batch).size(), batch.level == 2 ? 1u : 0u);
  }
  EXPECT_THAT(order,
              ElementsAre(BlockKey{0, 0, -1, 1}, BlockKey{0, 1, -1, 2}, BlockKey{0, 2, -1, 5}));
  EXPECT_EQ(graph_.size(), 0u);
}

TEST_F(BlockGraphTest, AKeptBlockNeedsNothing) {
  graph_.Add(1, At({0, 0, 0, 0}));
  Finish(Take());
  EXPECT_NE(graph_.Add(2, At({0, 0, 0, 0})), nullptr);
  EXPECT_EQ(graph_.size(), 0u);
}

TEST_F(BlockGraphTest, AChainEndsAtTheFirstKeptAncestor) {
  graph_.Add(1, At({0, 1, 0, 0}));
  Finish(Take());
  Finish(Take());
  graph_.Add(2, At({0, 3, 0, 0}));
  EXPECT_EQ(graph_.queued(), 2u);
  EXPECT_EQ(Take().level, 2);
}

TEST_F(BlockGraphTest, WaitersOfABlockShareItsNode) {
  graph_.Add(1, At({0, 1, 0, 0}));
  graph_.Add(2, At({0, 1, 0, 0}));
  graph_.Add(3, At({0, 1, 1, 1}));
  EXPECT_EQ(graph_.queued(), 3u);
  Finish(Take());
  EXPECT_THAT(Finish(Take()), UnorderedElementsAre(1, 2, 3));
}

// With its ancestors.
TEST_F(BlockGraphTest, ARaisedRequestGoesFirst) {
  graph_.Add(1, At({0, 0, 9, 9}, Priority::kPrefetch));
  graph_.Add(2, At({0, 1, 0, 0}, Priority::kBake));
  EXPECT_EQ(graph_.BestPriority(), Priority::kPrefetch);
  graph_.Raise(2, Priority::kInteractive);
  EXPECT_EQ(graph_.BestPriority(), Priority::kInteractive);
  EXPECT_THAT(Take().blocks, ElementsAre(BlockKey{0, 0, 0, 0}));
}

TEST_F(BlockGraphTest, ABatchIsOfOneLevelOfOneWorldUpToTheLimit) {
  const auto other = plans_.Of(TestWorld(6, 2));
  for (int x = 0; x < 3; ++x) {
    graph_.Add(static_cast<unsigned>(2 * x), At({0, 0, x, 0}));
    graph_.Add(static_cast<unsigned>(2 * x + 1), {other, {0, 0, x, 0}, {}, Priority::kInteractive});
  }
  const Batch first = Take(2);
  EXPECT_EQ(first.plan, plan_);
  EXPECT_THAT(first.blocks, ElementsAre(BlockKey{0, 0, 0, 0}, BlockKey{0, 0, 1, 0}));
  const Batch second = Take();
  EXPECT_EQ(second.plan, other);
  EXPECT_EQ(second.blocks.size(), 3u);
  EXPECT_EQ(graph_.queued(), 1u);
}

TEST_F(BlockGraphTest, TakesOnlyMoreUrgentAndCheapBlocks) {
  const auto costly = plans_.Of(CostlyWorld());
  const std::int64_t little = plan_->CellsOf({0, 0, 0, 0});
  ASSERT_LT(little, costly->CellsOf({0, 0, 0, 0}));
  const auto all = [](const Batch&) { return 100; };
  graph_.Add(1, {costly, {0, 0, 1, 0}, {}, Priority::kInteractive});
  graph_.Add(2, At({0, 0, 2, 0}));
  Demand of_another = At({0, 0, 3, 0});
  of_another.client = 7;
  graph_.Add(3, of_another);
  const BlockGraph::Which cheap{.max_cells = little};
  EXPECT_TRUE(graph_.HasReady(cheap));
  EXPECT_FALSE(graph_.HasReady(BlockGraph::Which{.max_cells = little - 1}));
  // Request 3 starts at once, request 2 where its client's request 1 ends.
  const BlockGraph::Which early{.before = {Priority::kInteractive, 1}, .max_cells = little};
  EXPECT_THAT(graph_.Take([](const Batch&) { return 1; }, early).blocks,
              ElementsAre(BlockKey{0, 0, 3, 0}));
  EXPECT_FALSE(graph_.HasReady(early));
  EXPECT_THAT(graph_.Take(all, cheap).blocks, ElementsAre(BlockKey{0, 0, 2, 0}));
  EXPECT_FALSE(graph_.HasReady(cheap));
  EXPECT_EQ(graph_.Take(all).plan, costly);
}

TEST_F(BlockGraphTest, OrdersByPriorityThenLevelThenArrival) {
  graph_.Add(1, At({0, 0, 7, 0}, Priority::kBake));
  graph_.Add(2, At({0, 1, 0, 0}, Priority::kPrefetch));
  Finish(Take());  // the parent of 2's
  graph_.Add(3, At({0, 0, 8, 0}, Priority::kPrefetch));
  graph_.Add(4, At({0, 0, 6, 0}, Priority::kPrefetch));
  graph_.Add(5, At({0, 1, 1, 0}));  // its parent is kept
  EXPECT_THAT(Take(1).blocks, ElementsAre(BlockKey{0, 1, 1, 0}));
  EXPECT_THAT(Take(1).blocks, ElementsAre(BlockKey{0, 0, 8, 0}));
  EXPECT_THAT(Take(9).blocks, ElementsAre(BlockKey{0, 0, 6, 0}));
  EXPECT_THAT(Take(9).blocks, ElementsAre(BlockKey{0, 1, 0, 0}));
  EXPECT_THAT(Take(9).blocks, ElementsAre(BlockKey{0, 0, 7, 0}));
}

TEST_F(BlockGraphTest, AnUrgentWaiterRaisesItsChainUntilItLeaves) {
  graph_.Add(1, At({0, 2, 0, 0}, Priority::kBake));
  graph_.Add(2, At({0, 0, 9, 9}, Priority::kPrefetch));
  EXPECT_EQ(graph_.BestPriority(), Priority::kPrefetch);
  graph_.Add(3, At({0, 2, 0, 0}, Priority::kInteractive));
  EXPECT_EQ(graph_.BestPriority(), Priority::kInteractive);
  EXPECT_EQ(graph_.Remove(3), 0u);
  EXPECT_EQ(graph_.BestPriority(), Priority::kPrefetch);
  EXPECT_THAT(Take(1).blocks, ElementsAre(BlockKey{0, 0, 9, 9}));
}

TEST_F(BlockGraphTest, RemoveDropsBlocksThatNobodyElseNeeds) {
  graph_.Add(1, At({0, 3, 0, 0}));
  graph_.Add(2, At({0, 3, 4, 0}));  // shares the block of level 0 with request 1
  EXPECT_EQ(graph_.queued(), 7u);
  EXPECT_EQ(graph_.Remove(1), 3u);
  EXPECT_EQ(graph_.queued(), 4u);
  EXPECT_EQ(graph_.Remove(2), 4u);
  EXPECT_EQ(graph_.size(), 0u);
  EXPECT_FALSE(graph_.HasReady());
}

TEST_F(BlockGraphTest, RemoveKeepsBlocksThatAreBeingComputed) {
  graph_.Add(1, At({0, 2, 0, 0}));
  const Batch root = Take();
  EXPECT_EQ(graph_.Remove(1), 2u);
  EXPECT_EQ(graph_.size(), 1u);
  EXPECT_EQ(graph_.queued(), 0u);
  EXPECT_THAT(Finish(root), IsEmpty());
  EXPECT_EQ(graph_.size(), 0u);
  EXPECT_EQ(store_.size(), 1u);
}

TEST_F(BlockGraphTest, FailReachesOnlyDescendants) {
  graph_.Add(1, At({0, 0, 0, 0}));
  graph_.Add(2, At({0, 2, 3, 3}));
  graph_.Add(3, At({0, 2, 9, 9}));
  const Batch roots = Take(1);
  EXPECT_THAT(graph_.Fail(roots), UnorderedElementsAre(1, 2));
  EXPECT_EQ(graph_.size(), 3u);
  graph_.Add(4, At({0, 0, 0, 0}));
  EXPECT_EQ(graph_.queued(), 4u);
}

TEST_F(BlockGraphTest, LayersOfWaitersAreUnited) {
  graph_.Add(1, At({0, 0, 0, 0}, Priority::kInteractive, {backend::Layer::kWashLoad}));
  graph_.Add(2, At({0, 0, 0, 0}, Priority::kInteractive, {backend::Layer::kUplift}));
  const Batch batch = Take();
  EXPECT_EQ(batch.layers, (backend::LayerSet{backend::Layer::kWashLoad, backend::Layer::kUplift}));
  EXPECT_THAT(Finish(batch), UnorderedElementsAre(1, 2));
}

TEST_F(BlockGraphTest, AKeptBlockThatLacksALayerIsComputedWithAllLayers) {
  graph_.Add(1, At({0, 0, 0, 0}, Priority::kInteractive, {backend::Layer::kWashLoad}));
  Finish(Take());
  EXPECT_EQ(graph_.Add(2, At({0, 0, 0, 0}, Priority::kInteractive, {backend::Layer::kUplift})),
            nullptr);
  const Batch batch = Take();
  EXPECT_EQ(batch.layers, (backend::LayerSet{backend::Layer::kWashLoad, backend::Layer::kUplift}));
  EXPECT_THAT(Finish(batch), ElementsAre(2));
  EXPECT_NE(graph_.Add(3, At({0, 0, 0, 0}, Priority::kInteractive,
                             {backend::Layer::kWashLoad, backend::Layer::kUplift})),
            nullptr);
}

TEST_F(BlockGraphTest, ALayerRequestedDuringARunWaitsForAnother) {
  graph_.Add(1, At({0, 0, 0, 0}));
  const Batch plain = Take();
  graph_.Add(2, At({0, 0, 0, 0}, Priority::kInteractive, {backend::Layer::kUplift}));
  EXPECT_FALSE(graph_.HasReady());
  EXPECT_THAT(Finish(plain), ElementsAre(1));
  const Batch again = Take();
  EXPECT_TRUE(again.layers.Contains(backend::Layer::kUplift));
  EXPECT_THAT(Finish(again), ElementsAre(2));
  EXPECT_EQ(graph_.size(), 0u);
}

// The four children of block (0, 0) of level 0, which is kept.
class QuadTest : public BlockGraphTest {
 protected:
  QuadTest() {
    graph_.Add(100, At({0, 0, 0, 0}));
    Finish(Take());
  }

  static constexpr BlockKey kNorthWest{0, 1, 0, 0}, kNorthEast{0, 1, 1, 0}, kSouthWest{0, 1, 0, 1},
      kSouthEast{0, 1, 1, 1};
};

TEST_F(QuadTest, SiblingsReadyTogetherAreComputedTogether) {
  graph_.Add(1, At(kSouthEast));
  graph_.Add(2, At({0, 1, 5, 0}));
  graph_.Add(3, At(kNorthWest));
  graph_.Add(4, At(kSouthWest));
  graph_.Add(5, At(kNorthEast));
  Finish(Take());  // the parent of 2's
  const Batch batch = Take();
  EXPECT_TRUE(batch.quads);
  EXPECT_THAT(batch.blocks, ElementsAre(kNorthWest, kNorthEast, kSouthWest, kSouthEast));
  EXPECT_EQ(batch.Shape().block_cells, 512);
  EXPECT_EQ(batch.parents[0], batch.parents[3]);
  EXPECT_THAT(Take().blocks, ElementsAre(BlockKey{0, 1, 5, 0}));
  EXPECT_THAT(Finish(batch), UnorderedElementsAre(1, 3, 4, 5));
  // The quad is one block, and each of the four keys names it.
  EXPECT_NE(graph_.Add(6, At(kNorthEast)), nullptr);
  EXPECT_EQ(graph_.Add(7, At(kNorthEast)), graph_.Add(8, At(kSouthWest)));
}

TEST_F(QuadTest, SiblingsInDifferentStatesAreComputedAlone) {
  for (const BlockKey& key : {kNorthWest, kNorthEast, kSouthWest})
    graph_.Add(static_cast<unsigned>(1 + key.x + 2 * key.y), At(key));
  EXPECT_FALSE(Take(1).quads);  // one is missing
  graph_.Add(4, At(kSouthEast));
  EXPECT_FALSE(Take(1).quads);  // one is being computed
  EXPECT_FALSE(Take().quads);
}

TEST_F(QuadTest, SiblingsOfOtherPriorityOrLayersAreComputedAlone) {
  graph_.Add(1, At(kNorthWest));
  graph_.Add(2, At(kNorthEast, Priority::kPrefetch));
  graph_.Add(3, At(kSouthWest));
  graph_.Add(4, At(kSouthEast));
  EXPECT_FALSE(Take(1).quads);
  graph_.Clear();
  graph_.Add(1, At(kNorthWest));
  graph_.Add(2, At(kNorthEast, Priority::kInteractive, {backend::Layer::kUplift}));
  graph_.Add(3, At(kSouthWest));
  graph_.Add(4, At(kSouthEast));
  EXPECT_FALSE(Take(1).quads);
}

TEST_F(QuadTest, SiblingsThatDoNotFitInABatchAreComputedAlone) {
  for (const BlockKey& key : {kNorthWest, kNorthEast, kSouthWest, kSouthEast}) {
    graph_.Add(static_cast<unsigned>(1 + key.x + 2 * key.y), At(key));
  }
  const Batch batch =
      graph_.Take([](const Batch& of) { return of.Shape().block_cells > 256 ? 0 : 100; });
  EXPECT_FALSE(batch.quads);
  EXPECT_EQ(batch.blocks.size(), 4u);
}

TEST_F(BlockGraphTest, ClearForgetsEverything) {
  graph_.Add(2, At({0, 2, 0, 0}));
  graph_.Add(1, At({0, 1, 9, 0}));
  graph_.Clear();
  EXPECT_EQ(graph_.size(), 0u);
  EXPECT_FALSE(graph_.HasReady());
}

}  // namespace
}  // namespace thalweg::field
