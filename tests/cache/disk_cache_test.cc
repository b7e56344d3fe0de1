#include "server/cache/disk/disk_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "server/cache/key_file.h"
#include "server/cache/tile_record.h"
#include "tests/cache/sample_tiles.h"
#include "tests/cache/temporary_folder.h"

namespace thalweg::cache {
namespace {

std::unique_ptr<DiskCache> OpenOrDie(const std::string& folder,
                                     std::size_t budget_bytes = kMinDiskCacheBytes) {
  auto cache = DiskCache::Open({.folder = folder, .budget_bytes = budget_bytes});
  EXPECT_TRUE(cache.ok()) << cache.status();
  return cache.ok() ? *std::move(cache) : nullptr;
}

std::size_t FolderBytes(const std::string& folder) {
  std::size_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    // RocksDB may delete files meanwhile.
    std::error_code gone;
    const std::uintmax_t size = entry.is_regular_file(gone) ? entry.file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  return bytes;
}

class DiskCacheTest : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(DiskCacheTest, LoadsWhatWasSaved) {
  const auto cache = OpenOrDie(folder_.path());
  EXPECT_EQ(cache->Load(SampleId(1)).outcome, LoadOutcome::kMiss);
  EXPECT_EQ(cache->Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
  const LoadResult result = cache->Load(SampleId(1));
  EXPECT_EQ(result.outcome, LoadOutcome::kHit);
  EXPECT_EQ(*result.bytes, *SampleTile(1));
  EXPECT_GE(cache->bytes(), SampleTile(1)->size());
  EXPECT_TRUE(cache->health().ok());
}

TEST_F(DiskCacheTest, KeepsTilesAcrossRuns) {
  for (int run = 0; run < 3; ++run) {
    const auto cache = OpenOrDie(folder_.path() + "/made/for/it");
    EXPECT_EQ(TakeInventory(*cache, 30).right, 10 * run);
    for (int n = 10 * run; n < 10 * run + 10; ++n) cache->Save(SampleId(n), SampleTile(n));
    EXPECT_EQ(cache->began_anew(), 0U);
  }
}

TEST_F(DiskCacheTest, AFolderHasOnlyOneServer) {
  const auto first = OpenOrDie(folder_.path());
  const auto second =
      DiskCache::Open({.folder = folder_.path(), .budget_bytes = kMinDiskCacheBytes});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(second.status().message().find("another server"), std::string::npos);
  EXPECT_NE(second.status().message().find(folder_.path()), std::string::npos);
}

TEST_F(DiskCacheTest, SaysWhyAFolderCannotBeUsed) {
  std::ofstream(folder_.path() + "/file") << "no folder";
  const auto cache = DiskCache::Open(
      {.folder = folder_.path() + "/file/cache", .budget_bytes = kMinDiskCacheBytes});
  ASSERT_FALSE(cache.ok());
  EXPECT_NE(cache.status().message().find("file/cache"), std::string::npos);
  EXPECT_EQ(cache.status().message().find('\n'), std::string::npos);
  EXPECT_EQ(DiskCache::Open({.folder = folder_.path(), .budget_bytes = 1'000}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(DiskCacheTest, LeavesOtherFilesOfTheFolderAlone) {
  std::ofstream(folder_.path() + "/CURRENT") << "somebody else's";
  OpenOrDie(folder_.path())->Save(SampleId(1), SampleTile(1));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/CURRENT"));
}

// This holds for tiles of any size, and however often the cache is opened.
TEST_F(DiskCacheTest, StaysWithinItsBudgetAndKeepsTheNewest) {
  std::mt19937_64 random(1);
  std::int64_t n = 0;
  std::vector<std::size_t> sizes;
  std::size_t written = 0;
  for (std::size_t run = 1; run <= 3; ++run) {
    const auto cache = OpenOrDie(folder_.path());
    while (written < run * kMinDiskCacheBytes) {
      sizes.push_back(random() % 4 == 0 ? 1'000'000 : 40'000);
      const TileBytes tile = SampleTile(n, sizes.back());
      ASSERT_EQ(cache->Save(SampleId(n), tile), SaveOutcome::kSaved);
      written += tile->size();
      if (++n % 20 != 0) continue;
      ASSERT_LE(FolderBytes(folder_.path()), kMinDiskCacheBytes) << n;
    }
  }
  const auto cache = OpenOrDie(folder_.path());
  std::size_t kept = 0;
  for (std::int64_t k = n - 1; k >= 0; --k) {
    const TileBytes tile = SampleTile(k, sizes[static_cast<std::size_t>(k)]);
    const TileBytes bytes = cache->Load(SampleId(k)).bytes;
    if (bytes == nullptr) break;
    ASSERT_EQ(*bytes, *tile);
    kept += tile->size();
  }
  EXPECT_GT(kept, kMinDiskCacheBytes / 2);
  // The twin: the first tile is no longer in the cache.
  EXPECT_EQ(cache->Load(SampleId(0)).outcome, LoadOutcome::kMiss);
}

TEST_F(DiskCacheTest, DoesNotKeepATileThatIsTooLarge) {
  const auto cache = OpenOrDie(folder_.path());
  const auto large = std::make_shared<const std::string>(kMinDiskCacheBytes / 16, 'x');
  EXPECT_EQ(cache->Save(SampleId(1), large), SaveOutcome::kTooLarge);
}

TEST_F(DiskCacheTest, ManyThreadsLoadTheRightTiles) {
  const auto cache = OpenOrDie(folder_.path());
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (std::int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::int64_t n = 0; n < 200; ++n) {
        const std::int64_t tile = t * 1'000 + n;
        const bool saved = cache->Save(SampleId(tile), SampleTile(tile)) == SaveOutcome::kSaved;
        const TileBytes bytes = cache->Load(SampleId(tile)).bytes;
        if (!saved || bytes == nullptr || *bytes != *SampleTile(tile)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Replaces a tile's record through RocksDB, so that RocksDB's checksums are right.
void PutRecord(const std::string& folder, const TileId& id, const std::string& record) {
  rocksdb::DB* database = nullptr;
  rocksdb::Options options;
  options.compaction_style = rocksdb::kCompactionStyleFIFO;
  ASSERT_TRUE(rocksdb::DB::Open(options, folder + "/tiles", &database).ok());
  ASSERT_TRUE(database->Put(rocksdb::WriteOptions(), RecordKey(id), record).ok());
  delete database;
}

TEST_F(DiskCacheTest, ABadRecordIsDroppedAndReplaced) {
  OpenOrDie(folder_.path())->Save(SampleId(1), SampleTile(1));
  const auto keys = ReadKeyFile(folder_.path() + "/key");
  ASSERT_TRUE(keys.ok()) << keys.status();
  std::string record = EncodeRecord(*keys, SampleId(1), *SampleTile(1));
  record[5'000] ^= 1;
  for (const std::string& bad : {record, EncodeRecord(*keys, SampleId(2), *SampleTile(2)),
                                 EncodeRecord(OtherKeys(), SampleId(1), *SampleTile(1)),
                                 std::string("short"), std::string()}) {
    PutRecord(folder_.path(), SampleId(1), bad);
    const auto cache = OpenOrDie(folder_.path());
    EXPECT_EQ(cache->Load(SampleId(1)).outcome, LoadOutcome::kBadRecord);
    EXPECT_EQ(cache->Load(SampleId(1)).outcome, LoadOutcome::kMiss);
    EXPECT_EQ(cache->Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
    EXPECT_EQ(*cache->Load(SampleId(1)).bytes, *SampleTile(1));
  }
}

mode_t ModeOf(const std::string& path) {
  struct stat facts {};
  EXPECT_EQ(stat(path.c_str(), &facts), 0) << path;
  return facts.st_mode & 07777;
}

TEST_F(DiskCacheTest, HasItsOwnKeyThatOnlyItsUserCanRead) {
  const std::string key = folder_.path() + "/key";
  OpenOrDie(folder_.path())->Save(SampleId(1), SampleTile(1));
  EXPECT_EQ(ModeOf(key), 0600U);
  const auto keys = ReadKeyFile(key);
  ASSERT_TRUE(keys.ok()) << keys.status();
  const TemporaryFolder other;
  OpenOrDie(other.path());
  EXPECT_NE(ReadKeyFile(other.path() + "/key")->signing, keys->signing);
  // The key stays, and so do the tiles.
  EXPECT_EQ(OpenOrDie(folder_.path())->Load(SampleId(1)).outcome, LoadOutcome::kHit);
  EXPECT_EQ(ReadKeyFile(key)->signing, keys->signing);
}

// Without the folder's key, its tiles can't be verified, and are made again.
TEST_F(DiskCacheTest, ALostOrDamagedKeyLosesOnlyTiles) {
  const std::string key = folder_.path() + "/key";
  for (const bool lost : {true, false}) {
    SCOPED_TRACE(lost ? "lost" : "damaged");
    OpenOrDie(folder_.path())->Save(SampleId(1), SampleTile(1));
    if (lost) {
      ASSERT_TRUE(std::filesystem::remove(key));
    } else {
      std::ofstream(key) << "no key\n";
    }
    const auto cache = OpenOrDie(folder_.path());
    EXPECT_EQ(cache->began_anew(), lost ? 0U : 1U);
    EXPECT_EQ(cache->Load(SampleId(1)).outcome, LoadOutcome::kBadRecord);
    EXPECT_EQ(cache->Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
    EXPECT_EQ(cache->Load(SampleId(1)).outcome, LoadOutcome::kHit);
    EXPECT_EQ(ModeOf(key), 0600U);
  }
}

TEST_F(DiskCacheTest, AKeyThatOthersCanReadIsRefused) {
  const std::string key = folder_.path() + "/key";
  OpenOrDie(folder_.path());
  ASSERT_EQ(chmod(key.c_str(), 0644), 0);
  const auto refused =
      DiskCache::Open({.folder = folder_.path(), .budget_bytes = kMinDiskCacheBytes});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_NE(refused.status().message().find(key), std::string::npos) << refused.status();
  EXPECT_NE(refused.status().message().find("0644"), std::string::npos) << refused.status();
  ASSERT_EQ(chmod(key.c_str(), 0600), 0);
  OpenOrDie(folder_.path());
}

// Changes random bytes in all files with this extension.
void FlipBytes(const std::string& folder, std::uint64_t seed, const std::string& extension) {
  std::mt19937_64 random(seed);
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/tiles")) {
    // A file that is being made may be empty.
    if (entry.path().extension() != extension || entry.file_size() == 0) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    for (int n = 0; n < 4; ++n) {
      const auto at = static_cast<std::streamoff>(random() % entry.file_size());
      file.seekg(at);
      const char byte = static_cast<char>(file.get() ^ static_cast<int>(1 + random() % 255));
      file.seekp(at);
      file.put(byte);
    }
  }
}

// Tables, log and manifest are damaged at random: no byte is wrong, and tiles can still be saved.
TEST_F(DiskCacheTest, DamagedFilesGiveNoWrongByte) {
  constexpr int kTiles = 120;
  int missing = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const TemporaryFolder folder;
    {
      const auto cache = OpenOrDie(folder.path());
      for (int n = 0; n < kTiles; ++n) cache->Save(SampleId(n), SampleTile(n));
    }
    FlipBytes(folder.path(), seed, seed % 3 == 0 ? ".log" : ".sst");
    if (seed % 4 == 3) std::ofstream(folder.path() + "/tiles/CURRENT") << "MANIFEST-000999\n";
    const auto cache = OpenOrDie(folder.path());
    ASSERT_NE(cache, nullptr);
    const Inventory inventory = TakeInventory(*cache, kTiles);
    EXPECT_EQ(inventory.wrong, 0);
    missing += inventory.missing;
    for (int n = 0; n < kTiles; ++n) {
      ASSERT_EQ(cache->Save(SampleId(n), SampleTile(n)), SaveOutcome::kSaved);
    }
    EXPECT_EQ(TakeInventory(*cache, kTiles).right, kTiles);
  }
  // The twin: the damage was real, so tiles are missing.
  EXPECT_GT(missing, 0);
}

// The files are damaged while the cache is open.
TEST_F(DiskCacheTest, DamageWhileItRunsGivesNoWrongByte) {
  constexpr int kTiles = 200;
  const auto cache = OpenOrDie(folder_.path());
  for (int n = 0; n < kTiles; ++n) cache->Save(SampleId(n), SampleTile(n));
  for (std::uint64_t seed = 0; seed < 5; ++seed) FlipBytes(folder_.path(), seed, ".sst");
  const Inventory inventory = TakeInventory(*cache, kTiles);
  EXPECT_EQ(inventory.wrong, 0);
  EXPECT_GT(inventory.missing, 0);
  for (int n = 0; n < kTiles; ++n) cache->Save(SampleId(n), SampleTile(n));
  EXPECT_EQ(TakeInventory(*cache, kTiles).right, kTiles);
}

// The twin of all tests above: TakeInventory finds a single wrong byte.
TEST(InventoryTest, NoticesAWrongByte) {
  class Liar final : public TileStore {
   public:
    const std::string& name() const override { return name_; }
    LoadResult Load(const TileId& id) override {
      std::string bytes = *SampleTile(id.key.x);
      if (id.key.x == 7) bytes[100] ^= 1;
      return {LoadOutcome::kHit, std::make_shared<const std::string>(bytes)};
    }
    SaveOutcome Save(const TileId&, const TileBytes&) override { return SaveOutcome::kSaved; }
    std::size_t bytes() const override { return 0; }
    absl::Status health() const override { return absl::OkStatus(); }

   private:
    const std::string name_ = "liar";
  } liar;
  EXPECT_EQ(TakeInventory(liar, 10).wrong, 1);
  EXPECT_EQ(TakeInventory(liar, 10).right, 9);
}

}  // namespace
}  // namespace thalweg::cache
