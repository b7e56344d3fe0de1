#include "client/src/store/tile_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "client/src/contract/messages.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr char kWorld[] = "00112233445566778899aabbccddeeff";

v1::Tile MakeMessage(std::int64_t x, std::size_t bytes = 1'000) {
  v1::Tile message;
  message.mutable_key()->set_level(5);
  message.mutable_key()->set_x(x);
  message.mutable_key()->set_y(-7);
  message.set_tag(0xFEDC'BA98'7654'3210U + static_cast<std::uint64_t>(x));
  message.set_geometric_error(17);
  v1::TileLayer& layer = *message.add_layers();
  layer.set_layer(v1::LAYER_HEIGHT);
  layer.set_min(-65'536);
  layer.set_max(1 << 24);
  layer.set_data(std::string(bytes, static_cast<char>('a' + x % 26)));
  return message;
}

class TileFolderTest : public ::testing::Test {
 protected:
  TileFolderTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-tiles-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TileFolderTest() override { fs::remove_all(path_); }

  std::unique_ptr<TileFolder> Open(std::uint64_t bytes = 1 << 30) const {
    auto folder = TileFolder::Open(path_.string(), bytes);
    EXPECT_TRUE(folder.ok()) << folder.status();
    return *std::move(folder);
  }
  static FiledTile Put(TileFolder& folder, std::int64_t x) {
    const v1::Tile message = MakeMessage(x);
    EXPECT_TRUE(folder.Write(kWorld, FiledAs(message), message).ok());
    return FiledAs(message);
  }

  fs::path path_;
};

TEST(TileFileNameTest, IdentifiesTheTile) {
  const FiledTile tile = FiledAs(MakeMessage(-(std::int64_t{1} << 40)));
  const auto back = FromFileName(FileNameOf(tile));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->key, tile.key);
  EXPECT_EQ(back->tag, tile.tag);
  EXPECT_EQ(back->facts.geometric_error, 17U);
  EXPECT_EQ(back->facts.min_height, -65'536);
  EXPECT_EQ(back->facts.max_height, 1 << 24);
  for (const char* name :
       {"", "a.tile", "0_5_1_1_0_0_0_0.tile", "5_0_0_00000000000000ff_1_2_3.tile", "1-2.writing",
        "0_5_0_0_00000000000000ff_1_2_3.tile.tile"}) {
    EXPECT_FALSE(FromFileName(name).has_value()) << name;
  }
}

TEST(TileFileNameTest, NamesOfImpossibleTilesAreRefused) {
  EXPECT_TRUE(FromFileName("0_5_0_0_00000000000000ff_1_2_3.tile").has_value());
  EXPECT_TRUE(FromFileName("5_5_31_0_00000000000000ff_1_2_3.tile").has_value());
  for (const char* name :
       {"0_21_0_0_00000000000000ff_1_2_3.tile", "0_-1_0_0_00000000000000ff_1_2_3.tile",
        "6_5_0_0_00000000000000ff_1_2_3.tile", "5_5_32_0_00000000000000ff_1_2_3.tile",
        "0_5_1099511627776_0_00000000000000ff_1_2_3.tile", "0_5_0_0_00000000000000ff_1_3_2.tile"}) {
    EXPECT_FALSE(FromFileName(name).has_value()) << name;
  }
}

TEST_F(TileFolderTest, KeepsTilesAcrossRuns) {
  const FiledTile tile = Put(*Open(), 3);
  const auto folder = Open();
  ASSERT_EQ(folder->List(kWorld).size(), 1U);
  EXPECT_TRUE(folder->List("another world").empty());
  EXPECT_TRUE(folder->Contains(kWorld, tile));
  const auto message = folder->Read(kWorld, folder->List(kWorld)[0]);
  ASSERT_TRUE(message.ok()) << message.status();
  EXPECT_EQ(message->SerializeAsString(), MakeMessage(3).SerializeAsString());
  EXPECT_TRUE(absl::IsNotFound(folder->Read(kWorld, FiledAs(MakeMessage(4))).status()));
}

// The twin of the tests above: a changed bit is found wherever it is, and the file is removed.
TEST_F(TileFolderTest, NoticesEveryDamage) {
  for (const int at : {0, 9, 17, 24, 30, 500, -1}) {
    const auto folder = Open();
    const FiledTile tile = Put(*folder, 3);
    const fs::path path = path_ / kWorld / FileNameOf(tile);
    if (at < 0) {
      fs::resize_file(path, fs::file_size(path) - 1);
    } else {
      std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
      file.seekg(at);
      const int byte = file.get();
      file.seekp(at);
      file.put(static_cast<char>(byte ^ 1));
    }
    EXPECT_TRUE(absl::IsDataLoss(folder->Read(kWorld, tile).status())) << at;
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(folder->bytes(), 0U);
  }
}

// The choice of levels relies on the file's name, so its contents must agree.
TEST_F(TileFolderTest, NoticesANameOfAnotherTile) {
  const auto folder = Open();
  const FiledTile tile = Put(*folder, 3);
  FiledTile other = tile;
  other.facts.max_height += 1;
  fs::rename(path_ / kWorld / FileNameOf(tile), path_ / kWorld / FileNameOf(other));
  EXPECT_TRUE(absl::IsDataLoss(folder->Read(kWorld, other).status()));
}

TEST_F(TileFolderTest, ReadsNoMoreThanTheMaxSizeOfATile) {
  const auto folder = Open();
  const FiledTile tile = Put(*folder, 3);
  const fs::path path = path_ / kWorld / FileNameOf(tile);
  // The file is sparse: it takes no room on the disk, but is larger than any memory.
  fs::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_TRUE(absl::IsDataLoss(folder->Read(kWorld, tile).status()));
  EXPECT_FALSE(fs::exists(path));
}

// No process ever writes to this pipe.
TEST_F(TileFolderTest, DoesNotWaitForAPipe) {
  const auto folder = Open();
  const FiledTile tile = Put(*folder, 3);
  const fs::path path = path_ / kWorld / FileNameOf(tile);
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsNotFound(folder->Read(kWorld, tile).status()));
}

TEST_F(TileFolderTest, ListsOnlyFoldersThatItWrites) {
  const FiledTile tile = Put(*Open(), 3);
  const fs::path deep = path_ / "a" / kWorld;
  fs::create_directories(deep);
  fs::copy_file(path_ / kWorld / FileNameOf(tile), deep / FileNameOf(FiledAs(MakeMessage(4))));
  EXPECT_EQ(Open()->List(kWorld).size(), 1U);
}

// Small tiles have few bytes, but each takes a block of the disk.
TEST_F(TileFolderTest, BoundsTheNumberOfFiles) {
  constexpr std::uint64_t kBytes = std::uint64_t{8} << 20;
  constexpr std::int64_t kMax = kBytes / 4'096;
  const auto folder = Open(kBytes);
  for (std::int64_t x = 0; x < kMax + 100; ++x) {
    const v1::Tile message = MakeMessage(x, 10);
    ASSERT_TRUE(folder->Write(kWorld, FiledAs(message), message).ok());
  }
  EXPECT_EQ(folder->List(kWorld).size(), static_cast<std::size_t>(kMax));
  EXPECT_FALSE(folder->Contains(kWorld, FiledAs(MakeMessage(99))));
  EXPECT_TRUE(folder->Contains(kWorld, FiledAs(MakeMessage(100, 10))));
  EXPECT_EQ(Open(kBytes)->List(kWorld).size(), static_cast<std::size_t>(kMax));
}

TEST_F(TileFolderTest, EvictsTheLeastRecentlyUsed) {
  const auto folder = Open(5'500);
  std::vector<FiledTile> tiles;
  for (int x = 0; x < 5; ++x) tiles.push_back(Put(*folder, x));
  ASSERT_TRUE(folder->Read(kWorld, tiles[0]).ok());
  tiles.push_back(Put(*folder, 5));
  EXPECT_LE(folder->bytes(), 5'500U);
  EXPECT_TRUE(folder->Contains(kWorld, tiles[0]));
  EXPECT_FALSE(folder->Contains(kWorld, tiles[1]));
  EXPECT_FALSE(fs::exists(path_ / kWorld / FileNameOf(tiles[1])));
  // A folder that is opened with a smaller limit shrinks at once.
  EXPECT_LE(Open(2'500)->bytes(), 2'500U);
}

// A program that is killed while it writes leaves whole tiles, and nothing else that matters.
TEST_F(TileFolderTest, SurvivesAKill) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto folder = TileFolder::Open(path_.string(), 1 << 30);
    for (std::int64_t x = 0;; ++x) {
      const v1::Tile message = MakeMessage(x, 100'000);
      if (!(*folder)->Write(kWorld, FiledAs(message), message).ok()) _exit(1);
      if (x == 50 && write(ready[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  close(ready[0]);
  close(ready[1]);
  const auto folder = Open();
  const auto tiles = folder->List(kWorld);
  EXPECT_GE(tiles.size(), 51U);
  for (const FiledTile& tile : tiles) EXPECT_TRUE(folder->Read(kWorld, tile).ok());
}

TEST_F(TileFolderTest, SaysWhichFolderCannotBeCreated) {
  std::ofstream(path_ / "file") << "x";
  const auto folder = TileFolder::Open((path_ / "file" / "cache").string(), 1);
  EXPECT_NE(folder.status().message().find("file/cache"), absl::string_view::npos);
}

}  // namespace
}  // namespace thalweg
