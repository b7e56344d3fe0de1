// The real programs bake one region in every possible way: all give the same samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/child/child.h"
#include "tests/client/shell.h"
#include "tests/service/child_server.h"
#include "thalweg/client.h"

namespace thalweg::service {
namespace {

namespace fs = std::filesystem;
using client_test::Outcome;
using client_test::Shell;

constexpr int kX0 = -3300;
constexpr int kY0 = 1500;
constexpr int kWidth = 3400;
constexpr int kHeight = 2300;

class BakeEqualityTest : public testing::Test {
 protected:
  BakeEqualityTest() {
    std::string name = (fs::temp_directory_path() / "thalweg-bakes-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / kDalesFile) << kDales;
    server_ = std::make_unique<ChildServer>(std::vector<std::string>{"--worlds", folder_.string()});
    other_ = std::make_unique<ChildServer>(std::vector<std::string>{"--worlds", folder_.string()});
  }
  ~BakeEqualityTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  static std::vector<std::string> Region() {
    return {"--world",  "dales",
            "--level",  "3",
            "--x0",     std::to_string(kX0),
            "--y0",     std::to_string(kY0),
            "--width",  std::to_string(kWidth),
            "--height", std::to_string(kHeight),
            "--layer",  "height,flow"};
  }
  std::vector<std::string> Words(const std::string& out, const std::string& servers,
                                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {THALWEG, "bake", "--server", servers, "--out", Path(out)};
    for (const std::string& word : Region()) words.push_back(word);
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void Bake(const std::string& out, const std::string& servers,
            const std::vector<std::string>& more = {}) const {
    const child::Outcome outcome = child::RunToEnd(Words(out, servers, more));
    ASSERT_EQ(outcome.code, 0) << outcome.text;
  }
  std::vector<std::int32_t> Samples(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<std::int32_t> values(bytes.size() / sizeof(std::int32_t));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(std::int32_t));
    return values;
  }
  // Expects that the files of both layers are equal to those of the whole bake.
  void ExpectSame(const std::string& stem) const {
    for (const std::string layer : {"-height.i32", "-flow.i32"}) {
      EXPECT_TRUE(Samples(stem + layer) == Samples("whole" + layer)) << stem << layer;
    }
  }
  std::size_t PartsIn(const std::string& name) const {
    std::size_t parts = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(Path(name), error)) {
      parts += entry.path().extension() == ".part" ? 1 : 0;
    }
    return parts;
  }
  // Starts a bake and kills it as soon as it has finished another part.
  void KillInTheMiddle(const std::vector<std::string>& words, const std::string& parts) const {
    const std::size_t before = PartsIn(parts);
    child::Child child(words);
    ASSERT_TRUE(Eventually([&] { return PartsIn(parts) > before; }));
    child.Signal(SIGKILL);
    EXPECT_NE(child.Await().code, 0);
  }

  fs::path folder_;
  std::unique_ptr<ChildServer> server_;
  std::unique_ptr<ChildServer> other_;
};

TEST_F(BakeEqualityTest, EveryWayGivesTheSameSamples) {
  Bake("whole.i32", server_->address());
  ASSERT_EQ(Samples("whole-height.i32").size(), std::size_t{kWidth} * kHeight);

  Bake("two.i32", server_->address() + "," + other_->address());
  ExpectSame("two");

  for (const char* shard : {"2", "0", "3", "1"}) {
    Bake("shards.i32", shard[0] % 2 == 0 ? server_->address() : other_->address(),
         {"--shards", "4", "--shard", shard});
  }
  Bake("shards.i32", server_->address(), {"--shards", "4", "--merge"});
  ExpectSame("shards");

  // A server that has computed nothing yet: a bake of all its parts takes seconds.
  const ChildServer cold({"--worlds", folder_.string()});
  const std::vector<std::string> killed = Words("killed.i32", cold.address());
  for (int kill = 0; kill < 3; ++kill) KillInTheMiddle(killed, "killed.i32.bake");
  Bake("killed.i32", cold.address());
  ExpectSame("killed");

  std::vector<std::string> local = {THALWEGD,   "bake",           "--device", "reference",
                                    "--worlds", folder_.string(), "--parts",  Path("local.bake")};
  for (const std::string& word : Region()) local.push_back(word);
  KillInTheMiddle(local, "local.bake");
  const child::Outcome outcome = child::RunToEnd(local);
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const Outcome converted =
      Shell(THALWEG " bake --from " + Path("local.bake") + " --out " + Path("local.i32"));
  ASSERT_EQ(converted.code, 0) << converted.text;
  ExpectSame("local");
  EXPECT_GT(PartsIn("local.bake"), 0U);

  // The same region, fetched in squares of two tiles on a side.
  const auto client = Client::Connect(server_->address()).value();
  const std::vector<std::int32_t> whole = Samples("whole-height.i32");
  int differing = 0;
  for (int y = 0; y < kHeight; y += 512) {
    for (int x = 0; x < kWidth; x += 512) {
      const auto region = client->FetchRegion({.world = "dales",
                                               .level = 3,
                                               .x0 = kX0 + x,
                                               .y0 = kY0 + y,
                                               .width = std::min(512, kWidth - x),
                                               .height = std::min(512, kHeight - y),
                                               .precision = Precision::kExact});
      ASSERT_TRUE(region.ok()) << region.status();
      std::size_t i = 0;
      for (int row = 0; row < region->height; ++row) {
        for (int column = 0; column < region->width; ++column, ++i) {
          const auto at =
              static_cast<std::size_t>(y + row) * kWidth + static_cast<std::size_t>(x + column);
          differing += region->planes[0].values[i] == whole[at] ? 0 : 1;
        }
      }
    }
  }
  EXPECT_EQ(differing, 0);
}

}  // namespace
}  // namespace thalweg::service
