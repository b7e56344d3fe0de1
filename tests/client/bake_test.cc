// Bakes: their parts, their folder, and what they do when servers fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "client/tools/bake/baker.h"
#include "client/tools/bake/part_region.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_store.h"
#include "tests/client/fake_server.h"

namespace thalweg::bake {
namespace {

namespace fs = std::filesystem;
using client_test::FakeServer;
using client_test::TerrainAt;
using ::testing::HasSubstr;

class BakeTest : public testing::Test {
 protected:
  BakeTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-bake-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    ClientOptions options;
    options.max_attempts = 1;
    for (FakeServer& server : servers_) {
      auto client = Client::Connect(server.address(), options);
      EXPECT_TRUE(client.ok()) << client.status();
      bakers_.push_back({server.address(), client->get()});
      clients_.push_back(*std::move(client));
    }
  }
  ~BakeTest() override { fs::remove_all(folder_); }

  std::string Folder(const std::string& name = "a") const { return (folder_ / name).string(); }
  Manifest Of(const Area& area) const { return {"0123", 5, area, NumbersOf({Layer::kHeight})}; }
  PartStore Store(const Area& area, const std::string& name = "a") const {
    auto store = PartStore::Open(Folder(name), Of(area));
    EXPECT_TRUE(store.ok()) << store.status();
    return *std::move(store);
  }
  absl::Status Run(const Area& area, const PartStore& store, BakeOptions options = {}) const {
    options.world = "alpine";
    options.layers = {Layer::kHeight};
    options.first_rest = std::chrono::milliseconds(1);
    return Bake(bakers_, area, PartsOf(area), store, options);
  }
  static void ExpectTerrain(const Area& area, const PartStore& store) {
    for (const Part& part : PartsOf(area)) {
      const auto region = ReadRegion(store, part);
      ASSERT_TRUE(region.ok()) << region.status();
      std::size_t i = 0;
      for (int y = 0; y < region->height; ++y) {
        for (int x = 0; x < region->width; ++x, ++i) {
          ASSERT_EQ(region->planes[0].values[i],
                    TerrainAt(Layer::kHeight, area.level, region->x0 + x, region->y0 + y));
        }
      }
    }
  }

  fs::path folder_;
  std::array<FakeServer, 2> servers_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<BakeServer> bakers_;
};

constexpr Area kArea{3, -1500, 700, 2100, 1300};

TEST_F(BakeTest, EveryVertexIsTheTerrains) {
  const PartStore store = Store(kArea);
  std::size_t last = 0;
  std::size_t parts = 0;
  BakeOptions options;
  options.progress = [&](const BakeProgress& progress) {
    EXPECT_GE(progress.done, last);
    last = progress.done;
    parts = progress.parts;
  };
  ASSERT_TRUE(Run(kArea, store, options).ok());
  EXPECT_EQ(last, parts);
  EXPECT_EQ(parts, PartsOf(kArea).size());
  ExpectTerrain(kArea, store);
  // Both servers were used.
  for (FakeServer& server : servers_) EXPECT_FALSE(server.stream_requests().empty());
}

TEST_F(BakeTest, FinishedPartsAreNotRequestedAgain) {
  const PartStore store = Store(kArea);
  ASSERT_TRUE(Run(kArea, store).ok());
  const auto requests = [&] {
    return servers_[0].stream_requests().size() + servers_[1].stream_requests().size();
  };
  const std::size_t before = requests();
  fs::remove(Folder() + "/" + std::to_string(PartsOf(kArea)[1].x) + "_" +
             std::to_string(PartsOf(kArea)[1].y) + ".part");
  ASSERT_TRUE(Run(kArea, Store(kArea)).ok());
  EXPECT_EQ(requests(), before + 1);
  ExpectTerrain(kArea, store);
}

TEST_F(BakeTest, AFailingServerIsSkippedAndRetried) {
  servers_[0].faults.unavailable_calls = 3;
  servers_[1].faults.broken_streams = 1;
  servers_[1].faults.tiles_before_break = 2;
  const PartStore store = Store(kArea);
  const absl::Status status = Run(kArea, store);
  ASSERT_TRUE(status.ok()) << status;
  ExpectTerrain(kArea, store);
}

TEST_F(BakeTest, WithoutAServerItGivesUpAndKeepsFinishedParts) {
  const PartStore store = Store(kArea);
  for (FakeServer& server : servers_) server.faults.unavailable_calls = 1'000'000;
  BakeOptions hasty;
  hasty.patience = std::chrono::milliseconds(50);
  const absl::Status status = Run(kArea, store, hasty);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("run the same command again: finished parts are kept"));
  for (FakeServer& server : servers_) server.faults.unavailable_calls = 0;
  EXPECT_TRUE(Run(kArea, store).ok());
}

TEST_F(BakeTest, SaysThatNoServerGaveAnError) {
  BakeOptions hasty;
  // Over before the first part is asked for.
  hasty.patience = std::chrono::milliseconds(-1);
  const absl::Status status = Run(kArea, Store(kArea), hasty);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("no server sent a part within 0 s, and no error: "));
}

TEST_F(BakeTest, APermanentErrorEndsItAtOnce) {
  const Area beyond{25, 0, 0, 10, 10};
  const PartStore store = Store(beyond);
  const absl::Status status = Run(beyond, store);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST_F(BakeTest, AFolderBelongsToOneBake) {
  const PartStore store = Store(kArea);
  Area other = kArea;
  other.width += 1;
  const auto refused = PartStore::Open(Folder(), Of(other));
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(refused.status().message(), HasSubstr("has parts of another bake"));
  Manifest newer = Of(kArea);
  newer.generator_version = 6;
  EXPECT_FALSE(PartStore::Open(Folder(), newer).ok());
  EXPECT_TRUE(PartStore::Open(Folder(), Of(kArea)).ok());
}

TEST_F(BakeTest, ADamagedPartIsNamed) {
  const PartStore store = Store(kArea);
  ASSERT_TRUE(Run(kArea, store).ok());
  const Part part = PartsOf(kArea)[0];
  const std::string path =
      Folder() + "/" + std::to_string(part.x) + "_" + std::to_string(part.y) + ".part";
  fs::resize_file(path, fs::file_size(path) - 1);
  const auto region = store.Read(part);
  EXPECT_EQ(region.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(region.status().message(), HasSubstr(path));
  // A valid part in the place of another one.
  const Part next = PartsOf(kArea)[1];
  fs::copy_file(Folder() + "/" + std::to_string(next.x) + "_" + std::to_string(next.y) + ".part",
                path, fs::copy_options::overwrite_existing);
  EXPECT_THAT(store.Read(part).status().message(), HasSubstr("of another bake"));
}

TEST_F(BakeTest, RemovesOnlyItsOwnFiles) {
  const PartStore store = Store(kArea);
  ASSERT_TRUE(Run(kArea, store).ok());
  std::ofstream(Folder() + "/notes.txt") << "mine";
  EXPECT_FALSE(store.Remove(PartsOf(kArea)).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(Folder()), fs::directory_iterator()), 1);
  fs::remove(Folder() + "/notes.txt");
  const PartStore again = Store(kArea);
  EXPECT_TRUE(again.Remove(PartsOf(kArea)).ok());
  EXPECT_FALSE(fs::exists(Folder()));
}

}  // namespace
}  // namespace thalweg::bake
