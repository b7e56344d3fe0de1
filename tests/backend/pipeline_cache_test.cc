#include <filesystem>
#include <fstream>
#include <random>

#include "gmock/gmock.h"
#include "server/backend/vulkan/pipelines.h"
#include "tests/backend/test_level.h"

namespace thalweg::backend {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using vulkan::LoadCache;
using vulkan::SaveCache;

class PipelineCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("pipelines-") + test->name() + std::to_string(std::random_device()()));
    path_ = folder_ / "deep" / "cache.bin";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  std::filesystem::path path_;
  const std::vector<std::byte> data_ = std::vector<std::byte>(1000, std::byte{42});
};

TEST_F(PipelineCacheTest, LoadsWhatWasSaved) {
  ASSERT_TRUE(SaveCache(path_, data_).ok());
  EXPECT_THAT(LoadCache(path_), ElementsAreArray(data_));
  const auto files = std::filesystem::directory_iterator(path_.parent_path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "a temporary file was left";
}

TEST_F(PipelineCacheTest, IgnoresADamagedFile) {
  EXPECT_THAT(LoadCache(path_), IsEmpty());
  ASSERT_TRUE(SaveCache(path_, data_).ok());
  std::filesystem::resize_file(path_, 500);
  EXPECT_THAT(LoadCache(path_), IsEmpty());
  ASSERT_TRUE(SaveCache(path_, data_).ok());
  std::fstream(path_, std::ios::in | std::ios::out | std::ios::binary).seekp(600).put('x');
  EXPECT_THAT(LoadCache(path_), IsEmpty());
  std::filesystem::resize_file(path_, 3);
  EXPECT_THAT(LoadCache(path_), IsEmpty());
  std::filesystem::resize_file(path_, 0);
  EXPECT_THAT(LoadCache(path_), IsEmpty());
}

// As with a disk that fails, the first read is an error.
TEST_F(PipelineCacheTest, IgnoresAnUnreadableFile) {
  std::filesystem::create_directories(path_);
  EXPECT_THAT(LoadCache(path_), IsEmpty());
}

TEST_F(PipelineCacheTest, ReportsThatSavingFailed) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "deep") << "a file where a folder should be";
  EXPECT_FALSE(SaveCache(path_, data_).ok());
}

TEST_F(PipelineCacheTest, TheCacheDoesNotChangeTheBits) {
  const auto world = TestWorld(13);
  vulkan::VulkanOptions options = TestOptions();
  const auto run = [&] {
    const auto backend = Open(options);
    const auto block = RunTop(*backend, *world);
    EXPECT_TRUE(block.ok()) << block.status();
    EXPECT_THAT(backend->validation_messages(), IsEmpty());
    return block.ok() ? Everything(*backend, **block) : std::vector<std::int32_t>();
  };
  const std::vector<std::int32_t> without = run();
  options.pipeline_cache = path_;
  EXPECT_EQ(run(), without);
  ASSERT_FALSE(LoadCache(path_).empty());
  EXPECT_EQ(run(), without);
  std::ofstream(path_) << "broken";
  EXPECT_EQ(run(), without);
  EXPECT_FALSE(LoadCache(path_).empty()) << "a broken file was not replaced";
  ASSERT_TRUE(SaveCache(path_, data_).ok());
  EXPECT_EQ(run(), without) << "with another driver's cache";
}

TEST(DefaultCachePathTest, FollowsTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(vulkan::DefaultCachePath("12ab"), "/somewhere/thalweg/pipelines-12ab.bin");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(vulkan::DefaultCachePath("12ab"), "/home/me/.cache/thalweg/pipelines-12ab.bin");
  unsetenv("HOME");
  EXPECT_EQ(vulkan::DefaultCachePath("12ab"), "");
}

}  // namespace
}  // namespace thalweg::backend
