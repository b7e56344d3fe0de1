// Two bakes of one file, and what a killed one leaves, against a server in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/temporary.h"
#include "tests/child/child.h"
#include "tests/client/bake_fixture.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using client_test::Outcome;

class BakeLockTest : public client_test::BakeFixture {
 protected:
  BakeLockTest() : BakeFixture("--world alpine --level 3") {}

  std::string Bake(const std::string& name) const {
    return absl::StrCat(" --x0 0 --y0 0 --width 65 --height 65 --out ", Path(name));
  }
  // A bake whose server sends it nothing, once it has asked for its first tiles.
  std::unique_ptr<child::Child> BeginBake(const std::string& name) {
    server_.faults.silent_streams = 1;
    const std::string command = absl::StrCat(THALWEG, " bake --world alpine --level 3 --server ",
                                             server_.address(), Bake(name));
    std::vector<std::string> words = absl::StrSplit(command, ' ', absl::SkipEmpty());
    auto bake = std::make_unique<child::Child>(words);
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (server_.faults.silent_streams > 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return bake;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
};

TEST_F(BakeLockTest, TheSecondBakeOfAFileEndsAtOnce) {
  const auto first = BeginBake("a.i32");
  const Outcome second = Run(Bake("a.i32"));
  EXPECT_EQ(second.code, 1);
  EXPECT_EQ(second.text,
            absl::StrCat("thalweg: another bake (process ", first->pid(), ") is writing '",
                         Path("a.i32"), "'; wait for it or choose another --out\n"));
  EXPECT_EQ(Run(Bake("b.i32")).code, 0) << "another file";
}

TEST_F(BakeLockTest, TheLockOfAKilledBakeIsReleased) {
  BeginBake("a.i32")->Kill();
  const Outcome second = Run(Bake("a.i32"));
  EXPECT_EQ(second.code, 0) << second.text;
  EXPECT_THAT(Names(), testing::UnorderedElementsAre("a.i32", "a.i32.json"));
}

TEST_F(BakeLockTest, RemovesFilesThatKilledBakesLeft) {
  const std::string dead = files::TemporaryNameOf(Path("a-height.tif"));
  std::ofstream(dead) << "half";
  const std::string dead_folder = files::TemporaryNameOf(Path("a.i32"));
  fs::create_directory(dead_folder);
  std::ofstream(dead_folder + "/lock").close();
  std::ofstream(dead_folder + "/whole.tif") << "half";
  const auto living = files::TemporaryFolder::Create(Path("a-flow.tif"));
  ASSERT_TRUE(living.ok()) << living.status();
  ASSERT_EQ(Run(Bake("a.i32")).code, 0);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_FALSE(fs::exists(dead_folder));
  EXPECT_TRUE(fs::exists((*living)->Path("lock")));
}

}  // namespace
}  // namespace thalweg
