#include "server/cache/store_chain.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "tests/cache/fake_store.h"
#include "tests/cache/sample_tiles.h"

namespace thalweg::cache {
namespace {

class StoreChainTest : public testing::Test {
 protected:
  StoreChainTest() {
    std::vector<std::unique_ptr<BackgroundStore>> stores;
    stores.push_back(MakeFakeBackground(near_));
    stores.push_back(MakeFakeBackground(far_));
    chain_ = std::make_unique<StoreChain>(std::move(stores));
  }

  TileBytes Get(std::int64_t n) {
    std::promise<TileBytes> promise;
    chain_->Load(SampleId(n),
                 [&promise](FinishedTile tile) { promise.set_value(std::move(tile.bytes)); });
    return promise.get_future().get();
  }

  const std::shared_ptr<FakeStoreControl> near_ = std::make_shared<FakeStoreControl>();
  const std::shared_ptr<FakeStoreControl> far_ = std::make_shared<FakeStoreControl>();
  std::unique_ptr<StoreChain> chain_;
};

TEST_F(StoreChainTest, AsksOneAfterTheOther) {
  near_->Put(SampleId(1), SampleTile(1));
  far_->Put(SampleId(2), SampleTile(2));
  EXPECT_EQ(*Get(1), *SampleTile(1));
  EXPECT_EQ(far_->loads(), 0);
  EXPECT_EQ(*Get(2), *SampleTile(2));
  EXPECT_EQ(Get(3), nullptr);
  EXPECT_EQ(near_->loads(), 3);
  EXPECT_EQ(far_->loads(), 2);
}

TEST_F(StoreChainTest, AHitOfAFarStoreIsSavedInTheNearOne) {
  far_->Put(SampleId(2), SampleTile(2));
  EXPECT_EQ(*Get(2), *SampleTile(2));
  while (!near_->Has(SampleId(2))) std::this_thread::yield();
  EXPECT_EQ(*Get(2), *SampleTile(2));
  EXPECT_EQ(far_->loads(), 1);
  chain_.reset();
  EXPECT_EQ(near_->saves(), 1);
  EXPECT_EQ(far_->saves(), 0);
}

// Otherwise a later load would find it there again.
TEST_F(StoreChainTest, ATileThatFailsTheCheckIsNotSaved) {
  BackgroundStoreOptions options{.patience = std::chrono::hours(1)};
  options.check = [](const TileId&, std::string_view) -> absl::StatusOr<lod::TileFacts> {
    return absl::DataLossError("no tile");
  };
  std::vector<std::unique_ptr<BackgroundStore>> stores;
  stores.push_back(MakeFakeBackground(near_));
  stores.push_back(MakeFakeBackground(far_, options));
  chain_ = std::make_unique<StoreChain>(std::move(stores));
  far_->Put(SampleId(2), SampleTile(2));
  EXPECT_EQ(Get(2), nullptr);
  chain_.reset();
  EXPECT_EQ(near_->saves(), 0);
}

TEST_F(StoreChainTest, SavesInAllStores) {
  chain_->Save(SampleId(1), SampleTile(1));
  chain_.reset();
  EXPECT_TRUE(near_->Has(SampleId(1)));
  EXPECT_TRUE(far_->Has(SampleId(1)));
}

TEST_F(StoreChainTest, AFailingStoreDoesNotHideTheNextOne) {
  near_->Fail(true);
  far_->Put(SampleId(1), SampleTile(1));
  EXPECT_EQ(*Get(1), *SampleTile(1));
}

TEST(EmptyStoreChainTest, FindsNothing) {
  StoreChain chain({});
  bool answered = false;
  chain.Load(SampleId(1),
             [&answered](const FinishedTile& tile) { answered = tile.bytes == nullptr; });
  EXPECT_TRUE(answered);
  chain.Save(SampleId(1), SampleTile(1));
}

}  // namespace
}  // namespace thalweg::cache
