// The disk cache under real faults of processes and disks.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "server/cache/disk/disk_cache.h"
#include "tests/cache/sample_tiles.h"
#include "tests/cache/temporary_folder.h"
#include "tests/child/child.h"

namespace thalweg::cache {
namespace {

DiskCacheOptions OptionsOf(const std::string& folder) {
  return {.folder = folder,
          .budget_bytes = kMinDiskCacheBytes,
          .retry_after = std::chrono::milliseconds(0)};
}

// A real process over the same folder is killed again and again while it saves. Every tile that it
// has reported as saved is there, and every tile that is there is right.
TEST(DiskFaultTest, AKilledProcessLosesNothingThatWasSaved) {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  std::int64_t saved = 0;
  for (int round = 0; round < 8; ++round) {
    child::Child writer({THALWEG_DISK_WRITER, folder.path(), std::to_string(saved), "100000"});
    // A random number of tiles, which need not end a buffer or a file.
    const std::int64_t stop = saved + 1 + static_cast<std::int64_t>(random() % 90);
    while (saved < stop) {
      const std::string line = writer.ReadLine();
      ASSERT_FALSE(line.empty());
      saved = std::stoll(line) + 1;
    }
    writer.Kill();
    // The lines that it wrote before its end are still in the pipe.
    for (std::string line = writer.ReadLine(); !line.empty(); line = writer.ReadLine()) {
      saved = std::stoll(line) + 1;
    }
    const auto cache = DiskCache::Open(OptionsOf(folder.path()));
    ASSERT_TRUE(cache.ok()) << cache.status();
    EXPECT_EQ((*cache)->began_anew(), 0U);
    const auto count = static_cast<int>(saved);
    const Inventory inventory = TakeInventory(**cache, count + 2);
    EXPECT_EQ(inventory.wrong, 0);
    EXPECT_GE(inventory.right, count) << "round " << round;
  }
}

// Runs a test in its own process, which may mount file systems and set limits. It must exit with 0
// and print `trouble`, a part of the cache's error.
void InAChild(const std::function<int(const std::string& folder)>& test,
              const std::string& trouble) {
  const TemporaryFolder folder;
  const auto run = [&] {
    const int code = test(folder.path());
    // The child has made its own folder. _Exit runs no destructors, so this removes it.
    umount2(folder.path().c_str(), MNT_DETACH);
    std::filesystem::remove_all(folder.path());
    std::_Exit(code);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), trouble);
}

// Mounts a file system of 40 MiB for this process only. False if the system does not allow it.
bool MountSmallDisk(const std::string& folder) {
  if (unshare(CLONE_NEWNS) != 0) {
    const uid_t user = getuid();
    const gid_t group = getgid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  }
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  return mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=40m") == 0;
}

// Whether this system lets a process mount one.
bool SmallDisksAreAllowed(const std::string& folder) {
  const pid_t child = fork();
  if (child == 0) _exit(MountSmallDisk(folder) ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Runs a test that fills a disk of its own, and whose cache must say so.
void OnASmallDisk(int (*test)(const std::string& folder)) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  if (!SmallDisksAreAllowed(testing::TempDir())) {
    GTEST_SKIP() << "this system lets a test mount no file system";
  }
  const auto run = [test](const std::string& folder) {
    return MountSmallDisk(folder) ? test(folder) : 1;
  };
  InAChild(run, "No space left");
}

#define CHECK_OR_RETURN(condition)                                               \
  if (!(condition)) {                                                            \
    std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
    return __LINE__ & 0x7f;                                                      \
  }                                                                              \
  static_assert(true)

// Whether the saved tiles 0 to count - 1 are there, and right.
bool HasAll(TileStore& store, int count) {
  const Inventory inventory = TakeInventory(store, count);
  return inventory.wrong == 0 && inventory.right == count;
}

// Saves tiles until that fails. Returns the number of saved tiles.
int SaveUntilItFails(DiskCache& cache) {
  for (int n = 0; n < 5'000; ++n) {
    if (cache.Save(SampleId(n), SampleTile(n)) != SaveOutcome::kSaved) return n;
  }
  return 5'000;
}

int AFullDisk(const std::string& folder) {
  const auto opened = DiskCache::Open(OptionsOf(folder + "/cache"));
  CHECK_OR_RETURN(opened.ok());
  DiskCache& cache = **opened;
  // Leaves a third of the disk to the cache.
  const std::string ballast = folder + "/ballast";
  std::ofstream(ballast) << std::string(24 << 20, 'x');
  const int saved = SaveUntilItFails(cache);
  CHECK_OR_RETURN(saved > 10 && saved < 1'000);
  std::fprintf(stderr, "%s\n", std::string(cache.health().message()).c_str());
  CHECK_OR_RETURN(cache.health().code() == absl::StatusCode::kUnavailable);
  // No saved tile is lost or wrong, and repeated saves do no harm.
  for (int n = 0; n < 50; ++n) cache.Save(SampleId(saved), SampleTile(saved));
  CHECK_OR_RETURN(HasAll(cache, saved));
  // Once there is room again, saving works by itself.
  CHECK_OR_RETURN(std::remove(ballast.c_str()) == 0);
  while (cache.Save(SampleId(saved), SampleTile(saved)) != SaveOutcome::kSaved) {
    std::this_thread::yield();
  }
  CHECK_OR_RETURN(cache.health().ok());
  CHECK_OR_RETURN(HasAll(cache, saved + 1));
  return 0;
}

TEST(DiskFaultDeathTest, AFullDiskStopsSavingUntilThereIsRoom) { OnASmallDisk(AFullDisk); }

// Another program that takes every byte of a disk, and keeps taking what is given back.
class Glutton {
 public:
  explicit Glutton(const std::string& folder) : path_(folder + "/glutton") { Eat(); }

  // Takes the disk's last byte.
  void Eat() {
    std::ofstream file(path_, std::ios::app | std::ios::binary);
    for (std::size_t bite = std::size_t{1} << 20; bite > 0;) {
      if (file.write(std::string(bite, 'x').data(), static_cast<std::streamsize>(bite)).flush())
        continue;
      file.clear();
      bite /= 2;
    }
  }

  void GiveBack(std::uintmax_t bytes) {
    const std::uintmax_t size = std::filesystem::file_size(path_);
    std::filesystem::resize_file(path_, size - std::min(size, bytes));
  }

 private:
  const std::string path_;
};

// A disk that has no byte left, for most of the time. Whatever a program gives back to it, another
// one takes soon.
int ADiskThatIsExactlyFull(const std::string& folder) {
  const std::string cache_folder = folder + "/cache";
  int saved = 0;
  std::mt19937_64 random(1);
  {
    const auto opened = DiskCache::Open(OptionsOf(cache_folder));
    CHECK_OR_RETURN(opened.ok());
    DiskCache& cache = **opened;
    while (saved < 100 && cache.Save(SampleId(saved), SampleTile(saved)) == SaveOutcome::kSaved)
      ++saved;
    CHECK_OR_RETURN(saved == 100);
    Glutton glutton(folder);
    for (int round = 0; round < 40; ++round) {
      for (int n = 0; n < 10; ++n) {
        if (cache.Save(SampleId(saved), SampleTile(saved)) == SaveOutcome::kSaved) ++saved;
      }
      CHECK_OR_RETURN(HasAll(cache, saved));
      // Now and then there is a little room, up to more than the cache asks for, for some tiles.
      glutton.GiveBack(random() % (std::uintmax_t{16} << 20));
      std::thread eater([&] {
        std::this_thread::yield();
        glutton.Eat();
      });
      for (int n = 0; n < 20; ++n) {
        if (cache.Save(SampleId(saved), SampleTile(saved)) == SaveOutcome::kSaved) ++saved;
      }
      eater.join();
    }
    std::fprintf(stderr, "%s\n", std::string(cache.health().message()).c_str());
    CHECK_OR_RETURN(cache.health().code() == absl::StatusCode::kUnavailable);
  }
  // A server that starts now has its tiles, and saves none.
  const auto opened = DiskCache::Open(OptionsOf(cache_folder));
  CHECK_OR_RETURN(opened.ok());
  CHECK_OR_RETURN((*opened)->health().code() == absl::StatusCode::kUnavailable);
  CHECK_OR_RETURN((*opened)->Save(SampleId(saved), SampleTile(saved)) != SaveOutcome::kSaved);
  CHECK_OR_RETURN(HasAll(**opened, saved));
  return 0;
}

TEST(DiskFaultDeathTest, AnExactlyFullDiskDoesNotEndTheServer) {
  OnASmallDisk(ADiskThatIsExactlyFull);
}

// A server that was killed while it saved starts again on a disk without room.
int AKilledServersFullDisk(const std::string& folder) {
  const std::string cache_folder = folder + "/cache";
  int saved = 0;
  {
    child::Child writer({THALWEG_DISK_WRITER, cache_folder, "0", "150"});
    while (saved < 150) {
      const std::string line = writer.ReadLine();
      CHECK_OR_RETURN(!line.empty());
      saved = std::stoi(line) + 1;
    }
    writer.Kill();
  }
  Glutton glutton(folder);
  for (int round = 0; round < 4; ++round) {
    const auto opened = DiskCache::Open(OptionsOf(cache_folder));
    CHECK_OR_RETURN(opened.ok());
    CHECK_OR_RETURN(HasAll(**opened, saved));
    std::fprintf(stderr, "%s\n", std::string((*opened)->health().message()).c_str());
    CHECK_OR_RETURN((*opened)->health().code() == absl::StatusCode::kUnavailable);
  }
  glutton.GiveBack(std::uintmax_t{30} << 20);
  const auto opened = DiskCache::Open(OptionsOf(cache_folder));
  CHECK_OR_RETURN(opened.ok() && (*opened)->health().ok());
  CHECK_OR_RETURN(HasAll(**opened, saved));
  return 0;
}

TEST(DiskFaultDeathTest, AKilledServerStartsOnAFullDisk) { OnASmallDisk(AKilledServersFullDisk); }

// The first start of a server, on a disk without room: it has no database, and no key.
int AFirstStartOnAFullDisk(const std::string& folder) {
  Glutton glutton(folder);
  const auto opened = DiskCache::Open(OptionsOf(folder + "/cache"));
  CHECK_OR_RETURN(opened.ok());
  DiskCache& cache = **opened;
  std::fprintf(stderr, "%s\n", std::string(cache.health().message()).c_str());
  CHECK_OR_RETURN(cache.health().code() == absl::StatusCode::kUnavailable);
  CHECK_OR_RETURN(cache.Save(SampleId(0), SampleTile(0)) != SaveOutcome::kSaved);
  CHECK_OR_RETURN(cache.Load(SampleId(0)).bytes == nullptr);
  glutton.GiveBack(std::uintmax_t{30} << 20);
  while (cache.Save(SampleId(0), SampleTile(0)) != SaveOutcome::kSaved) std::this_thread::yield();
  CHECK_OR_RETURN(cache.health().ok());
  CHECK_OR_RETURN(TakeInventory(cache, 1).right == 1);
  return 0;
}

TEST(DiskFaultDeathTest, AFirstStartOnAFullDiskSavesLater) { OnASmallDisk(AFirstStartOnAFullDisk); }

// Files may not grow any more: RocksDB treats this error as fatal.
int FilesThatCannotGrow(const std::string& folder) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto opened = DiskCache::Open(OptionsOf(folder));
  CHECK_OR_RETURN(opened.ok());
  DiskCache& cache = **opened;
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{.rlim_cur = 300'000, .rlim_max = limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const int saved = SaveUntilItFails(cache);
  CHECK_OR_RETURN(saved > 5 && saved < 100);
  std::fprintf(stderr, "%s\n", std::string(cache.health().message()).c_str());
  CHECK_OR_RETURN(!cache.health().ok());
  for (int n = 0; n < 20; ++n) cache.Save(SampleId(saved), SampleTile(saved));
  CHECK_OR_RETURN(TakeInventory(cache, saved).wrong == 0);
  setrlimit(RLIMIT_FSIZE, &limit);
  while (cache.Save(SampleId(saved), SampleTile(saved)) != SaveOutcome::kSaved) {
    std::this_thread::yield();
  }
  CHECK_OR_RETURN(cache.health().ok());
  CHECK_OR_RETURN(HasAll(cache, saved + 1));
  return 0;
}

TEST(DiskFaultDeathTest, AWriteErrorIsRecoveredFrom) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  InAChild(FilesThatCannotGrow, "File too large");
}

}  // namespace
}  // namespace thalweg::cache
