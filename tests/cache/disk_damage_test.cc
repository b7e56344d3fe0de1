// Damage that RocksDB's checksums don't cover, and what the cache says about damage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/cache/disk/disk_cache.h"
#include "tests/cache/sample_tiles.h"
#include "tests/cache/temporary_folder.h"

namespace thalweg::cache {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kSavedTiles = 60;
constexpr std::size_t kFooterBytes = 53;
// Where the sizes of blocks end, and the format and the magic number begin.
constexpr std::size_t kFormatAt = 41;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string Varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>((value & 0x7f) | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

// A footer with four other numbers: offset and size of the index of metadata, and of that of keys.
std::string FooterWith(const std::string& table, const std::vector<std::uint64_t>& numbers) {
  const std::string footer = table.substr(table.size() - kFooterBytes);
  std::string made = footer.substr(0, 1);
  for (const std::uint64_t number : numbers) made += Varint(number);
  made.resize(kFormatAt);
  return made + footer.substr(kFormatAt);
}

std::vector<std::uint64_t> NumbersOf(const std::string& table) {
  std::vector<std::uint64_t> numbers(4);
  std::size_t at = table.size() - kFooterBytes + 1;
  for (std::uint64_t& number : numbers) {
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(table[at++]);
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) break;
    }
  }
  return numbers;
}

class DiskDamageTest : public testing::Test {
 protected:
  // Saves tiles, so that there are tables and a log.
  void Fill() {
    const auto cache = Open();
    for (int n = 0; n < kSavedTiles; ++n) {
      ASSERT_EQ(cache->Save(SampleId(n), SampleTile(n)), SaveOutcome::kSaved);
    }
  }

  std::unique_ptr<DiskCache> Open() {
    auto cache = DiskCache::Open(
        {.folder = folder_.path(),
         .budget_bytes = kMinDiskCacheBytes,
         .retry_after = std::chrono::milliseconds(0),
         .on_loss = [this](const std::string& found) { losses_.push_back(found); }});
    EXPECT_TRUE(cache.ok()) << cache.status();
    return cache.ok() ? *std::move(cache) : nullptr;
  }

  fs::path Path(const std::string& name) const { return fs::path(folder_.path()) / "tiles" / name; }

  fs::path ATable() const {
    for (const auto& entry : fs::directory_iterator(Path(""))) {
      if (entry.path().extension() == ".sst") return entry.path();
    }
    ADD_FAILURE() << "no table";
    return {};
  }

  // The cache starts, says once what it found in which file, and works.
  void ExpectItBeginsAnew(const fs::path& damaged) {
    losses_.clear();
    const auto cache = Open();
    ASSERT_NE(cache, nullptr);
    EXPECT_EQ(cache->began_anew(), 1U);
    EXPECT_THAT(losses_, ElementsAre(HasSubstr(damaged.string())));
    EXPECT_EQ(TakeInventory(*cache, kSavedTiles).missing, kSavedTiles);
    EXPECT_EQ(cache->Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
    EXPECT_EQ(*cache->Load(SampleId(1)).bytes, *SampleTile(1));
    EXPECT_TRUE(cache->health().ok()) << cache->health();
  }

  const TemporaryFolder folder_;
  std::vector<std::string> losses_;
};

// RocksDB allocates as many bytes as a footer says, and reads past the allocation if the sum of
// size and trailer overflows.
TEST_F(DiskDamageTest, AFooterWithHugeSizesDoesNotEndTheServer) {
  for (const std::uint64_t size :
       {std::uint64_t{1} << 40, std::uint64_t{1} << 63, ~std::uint64_t{4}, ~std::uint64_t{0}}) {
    for (const std::size_t number : {0U, 1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << "number " << number << " is " << size);
      Fill();
      const fs::path path = ATable();
      const std::string table = ReadFile(path);
      std::vector<std::uint64_t> numbers = NumbersOf(table);
      ASSERT_LT(numbers[number], table.size());
      numbers[number] = size;
      WriteFile(path, table.substr(0, table.size() - kFooterBytes) + FooterWith(table, numbers));
      ExpectItBeginsAnew(path);
    }
  }
}

// The twin: this test knows where the numbers of a footer are, and sound ones cost nothing.
TEST_F(DiskDamageTest, ASoundFooterIsKept) {
  Fill();
  const fs::path path = ATable();
  const std::string table = ReadFile(path);
  EXPECT_EQ(FooterWith(table, NumbersOf(table)), table.substr(table.size() - kFooterBytes));
  EXPECT_EQ(TakeInventory(*Open(), kSavedTiles).right, kSavedTiles);
  EXPECT_THAT(losses_, IsEmpty());
}

// With another type, RocksDB would not verify the table's index.
TEST_F(DiskDamageTest, AFooterWithoutChecksumsIsDamage) {
  Fill();
  const fs::path path = ATable();
  std::string table = ReadFile(path);
  table[table.size() - kFooterBytes] = 0;
  WriteFile(path, table);
  ExpectItBeginsAnew(path);
}

// RocksDB asserts that it has given the numbers in the names of files.
TEST_F(DiskDamageTest, FileNumbersOutOfRangeDoNotEndTheServer) {
  for (const char* name : {"0.log", "0.blob", "18446744073709551615.log",
                           "18446744073709551614.sst", "9223372036854775807.sst"}) {
    SCOPED_TRACE(name);
    Fill();
    WriteFile(Path(name), "");
    ExpectItBeginsAnew(Path(name));
  }
}

// Opening a pipe would wait for ever.
TEST_F(DiskDamageTest, PipesAndFoldersInPlaceOfFilesAreDamage) {
  for (const char* name : {"CURRENT", "IDENTITY"}) {
    for (const bool is_pipe : {false, true}) {
      SCOPED_TRACE(testing::Message() << name << (is_pipe ? " is a pipe" : " is a folder"));
      Fill();
      fs::remove(Path(name));
      ASSERT_EQ(is_pipe ? mkfifo(Path(name).c_str(), 0600) : mkdir(Path(name).c_str(), 0700), 0);
      ExpectItBeginsAnew(Path(name));
    }
  }
}

// A killed server leaves a table that it was writing.
TEST_F(DiskDamageTest, AnUnfinishedTableIsNotDamage) {
  Fill();
  WriteFile(Path("000999.sst"), ReadFile(ATable()).substr(0, 100'000));
  WriteFile(Path("000998.sst"), "");
  EXPECT_EQ(TakeInventory(*Open(), kSavedTiles).right, kSavedTiles);
  EXPECT_THAT(losses_, IsEmpty());
}

TEST_F(DiskDamageTest, AResetLeavesOtherFilesAlone) {
  Fill();
  const std::vector<std::string> names = {"notes.txt", "12.png", "000001.sst.bak", "MANIFEST-old"};
  for (const std::string& name : names) WriteFile(Path(name), "somebody's");
  ASSERT_TRUE(fs::create_directories(Path("12/34")));
  WriteFile(Path("CURRENT"), "MANIFEST-000999\n");
  ExpectItBeginsAnew(Path("MANIFEST-000999"));
  for (const std::string& name : names) EXPECT_EQ(ReadFile(Path(name)), "somebody's") << name;
  EXPECT_TRUE(fs::exists(Path("12/34")));
}

// The cache is opened again while it runs, and finds the damage then.
TEST_F(DiskDamageTest, ReportsLossesWhileItRuns) {
  Fill();
  fs::remove(Path("LOCK"));
  ASSERT_TRUE(fs::create_directory(Path("LOCK")));
  const auto cache = Open();
  EXPECT_FALSE(cache->health().ok());
  EXPECT_EQ(cache->Save(SampleId(1), SampleTile(1)), SaveOutcome::kError);
  EXPECT_THAT(losses_, IsEmpty());
  fs::remove(Path("LOCK"));
  WriteFile(Path("CURRENT"), "");
  EXPECT_EQ(cache->Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
  EXPECT_THAT(losses_, ElementsAre(HasSubstr("CURRENT")));
  EXPECT_EQ(cache->began_anew(), 1U);
  EXPECT_TRUE(cache->health().ok()) << cache->health();
}

TEST_F(DiskDamageTest, AFolderRemovedWhileItRunsIsCreatedAgain) {
  for (const fs::path& removed : {fs::path(folder_.path()), Path("")}) {
    SCOPED_TRACE(removed);
    Fill();
    const auto cache = Open();
    losses_.clear();
    fs::remove_all(removed);
    EXPECT_EQ(cache->Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
    EXPECT_THAT(losses_, ElementsAre(HasSubstr("was removed")));
    EXPECT_TRUE(fs::exists(Path("CURRENT")));
    const Inventory found = TakeInventory(*cache, kSavedTiles);
    EXPECT_EQ(found.wrong, 0);
    EXPECT_EQ(found.right, 1);
    EXPECT_TRUE(cache->health().ok()) << cache->health();
  }
  EXPECT_EQ(Open()->Load(SampleId(1)).outcome, LoadOutcome::kHit);
}

TEST_F(DiskDamageTest, ReportsALostOrDamagedKey) {
  const fs::path key = fs::path(folder_.path()) / "key";
  Open();
  EXPECT_THAT(losses_, IsEmpty()) << "at the first start there is no key to lose";
  for (const bool lost : {true, false}) {
    Fill();
    losses_.clear();
    if (lost) {
      fs::remove(key);
    } else {
      WriteFile(key, "");
    }
    Open();
    EXPECT_THAT(losses_, ElementsAre(HasSubstr(key.string()))) << lost;
  }
}

// What a power cut does to files that were not synced: the newest are missing, empty, cut off, or
// end with zeros. The tiles in them are made again, and none is wrong.
TEST_F(DiskDamageTest, APowerCutLosesOnlyTheLastTiles) {
  Fill();
  const fs::path whole = folder_.path() + "-whole";
  fs::remove_all(whole);
  fs::copy(Path(""), whole, fs::copy_options::recursive);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(whole)) {
    if (entry.path().filename() != "LOCK") names.push_back(entry.path().filename().string());
  }
  for (const std::string& name : names) {
    const std::string bytes = ReadFile(whole / name);
    const std::size_t page = std::min<std::size_t>(bytes.size(), 4'096);
    for (const std::string& left :
         {std::string(), bytes.substr(0, bytes.size() / 2),
          bytes.substr(0, bytes.size() - page) + std::string(page, '\0'), std::string("missing")}) {
      SCOPED_TRACE(testing::Message() << name << " with " << left.size() << " bytes");
      fs::remove_all(Path(""));
      fs::copy(whole, Path(""), fs::copy_options::recursive);
      if (left == "missing") {
        fs::remove(Path(name));
      } else {
        WriteFile(Path(name), left);
      }
      losses_.clear();
      const auto cache = Open();
      ASSERT_NE(cache, nullptr);
      const Inventory found = TakeInventory(*cache, kSavedTiles);
      EXPECT_EQ(found.wrong, 0);
      EXPECT_EQ(losses_.size(), cache->began_anew());
      EXPECT_TRUE(cache->health().ok()) << cache->health();
      EXPECT_EQ(cache->Save(SampleId(0), SampleTile(0)), SaveOutcome::kSaved);
    }
  }
  fs::remove_all(whole);
}

}  // namespace
}  // namespace thalweg::cache
