// The folder of a bake, which several processes fill at the same time.
#include "proto/bake/part_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "proto/base/temporary.h"
#include "tests/proto/base/watched_sync.h"

namespace thalweg::bake {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

Manifest Flat() {
  return {.world_id = "00", .generator_version = 1, .area = {4, 0, 0, 8, 8}, .layers = {1}};
}

std::string EmptyFolder(const std::string& name) {
  std::string folder = ::testing::TempDir() + name;
  fs::remove_all(folder);
  return folder;
}

// Opens and fills the folder again and again. False if that has failed.
bool Fill(const std::string& folder, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    fs::remove(folder + "/bake.json");
    const auto store = PartStore::Open(folder, Flat());
    // Another process may have removed the folder.
    if (!store.ok() && !absl::IsNotFound(store.status())) return false;
    const PartValues part{Flat().area, {{1, std::vector<std::int32_t>(64)}}};
    if (store.ok() && !store->Write({0, 0}, part).ok()) return false;
  }
  return true;
}

// In a cluster, processes in different containers may have the same process id: 1.
TEST(PartStoreTest, ProcessesWithTheSameNumberCanShareAFolder) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give processes the same number";
  const std::string folder = EmptyFolder("same_number");
  std::vector<pid_t> outer;
  for (int i = 0; i < 8; ++i) {
    outer.push_back(fork());
    if (outer.back() != 0) continue;
    if (unshare(CLONE_NEWPID) != 0) _exit(2);
    const pid_t inner = fork();
    if (inner == 0) _exit(getpid() == 1 && Fill(folder, 200) ? 0 : 1);
    int status = 1;
    waitpid(inner, &status, 0);
    _exit(status == 0 ? 0 : 1);
  }
  for (const pid_t process : outer) {
    int status = 1;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "no namespaces of processes here";
    EXPECT_EQ(status, 0);
  }
}

TEST(PartStoreTest, RemoveDeletesUnfinishedFilesOfKilledProcesses) {
  const std::string folder = EmptyFolder("killed");
  const auto store = PartStore::Open(folder, Flat());
  ASSERT_TRUE(store.ok()) << store.status();
  for (const char* name : {"/0_0.part.0123456789abcdef.tmp", "/bake.json.0123456789abcdef.tmp"}) {
    std::ofstream(folder + name) << "half";
  }
  std::ofstream(folder + "/notes.tmp") << "somebody's";
  EXPECT_FALSE(store->Remove({{0, 0}}).ok());
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder)) {
    left.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(left, ::testing::ElementsAre("notes.tmp"));
  fs::remove(folder + "/notes.tmp");
  EXPECT_TRUE(store->Remove({{0, 0}}).ok());
  EXPECT_FALSE(fs::exists(folder));
}

// After a power cut, too, no part is left without the manifest that tells whose it is.
TEST(PartStoreTest, RemoveDeletesPartsBeforeTheManifest) {
  const std::string folder = EmptyFolder("power_cut");
  const auto store = PartStore::Open(folder, Flat());
  ASSERT_TRUE(store.ok()) << store.status();
  const PartValues part{Flat().area, {{1, std::vector<std::int32_t>(64)}}};
  ASSERT_TRUE(store->Write({0, 0}, part).ok());
  std::vector<std::vector<std::string>> on_disk;
  const files::WatchedSync watch([&](const fs::path& path) {
    if (path != fs::canonical(folder)) return;
    on_disk.emplace_back();
    for (const auto& entry : fs::directory_iterator(folder)) {
      on_disk.back().push_back(entry.path().filename().string());
    }
  });
  ASSERT_TRUE(store->Remove({{0, 0}}).ok());
  EXPECT_THAT(on_disk, ::testing::ElementsAre(::testing::ElementsAre("bake.json")));
}

TEST(PartStoreTest, OpenDeletesUnfinishedFilesOfAKilledProcess) {
  const std::string folder = EmptyFolder("abandoned");
  ASSERT_TRUE(PartStore::Open(folder, Flat()).ok());
  const std::string dead = folder + "/0_0.part.0123456789abcdef.tmp";
  std::ofstream(dead) << "half";
  const auto living =
      files::TemporaryFile::Create(folder + "/1_0.part", {.may_be_nameless = false});
  ASSERT_TRUE(living.ok()) << living.status();
  ASSERT_TRUE(PartStore::Open(folder, Flat()).ok());
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE((*living)->Finish().ok());
  EXPECT_TRUE(fs::exists(folder + "/1_0.part"));
}

TEST(PartStoreTest, SaysWhatIsWrongWithAManifest) {
  const std::string folder = EmptyFolder("manifest");
  ASSERT_TRUE(PartStore::Open(folder, Flat()).ok());
  ASSERT_TRUE(PartStore::OpenWhatIsThere(folder).ok());
  std::ifstream file(folder + "/bake.json");
  const std::string json((std::istreambuf_iterator<char>(file)), {});
  const std::string layers = "\"LAYER_HEIGHT\"";
  ASSERT_THAT(json, HasSubstr(layers));
  for (const auto& [layer, error] :
       {std::pair("999", "got 999: use the version that baked this folder"),
        std::pair("-1", "got -1: "), std::pair("0", "got 0: "), std::pair("12345678901", "")}) {
    std::string damaged = json;
    damaged.replace(json.find(layers), layers.size(), layer);
    std::ofstream(folder + "/bake.json") << damaged;
    const auto opened = PartStore::OpenWhatIsThere(folder);
    ASSERT_FALSE(opened.ok()) << layer;
    EXPECT_TRUE(absl::IsDataLoss(opened.status())) << opened.status();
    EXPECT_THAT(std::string(opened.status().message()),
                AllOf(HasSubstr(folder + "/bake.json'"), HasSubstr(error)));
  }
  std::ofstream(folder + "/bake.json").close();
  EXPECT_THAT(
      std::string(PartStore::OpenWhatIsThere(folder).status().message()),
      AllOf(HasSubstr(folder + "/bake.json'"), HasSubstr("remove its folder and bake again")));
}

TEST(PartStoreTest, AnEmptyPartIsDamagedAndNotADiskError) {
  const std::string folder = EmptyFolder("empty_part");
  const auto store = PartStore::Open(folder, Flat());
  ASSERT_TRUE(store.ok()) << store.status();
  std::ofstream(folder + "/0_0.part").close();
  const absl::Status read = store->Read({0, 0}).status();
  EXPECT_TRUE(absl::IsDataLoss(read)) << read;
  EXPECT_EQ(std::string(read.message()), folder +
                                             "/0_0.part: damaged part: fewer bytes than its "
                                             "header; remove it and run the same command again");
}

}  // namespace
}  // namespace thalweg::bake
