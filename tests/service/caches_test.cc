// A whole server with a disk cache and memcached behind it, and what can happen to both. Every call
// gets the same bytes as from a server without caches.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/cache/disk/disk_cache.h"
#include "server/cache/shared/shared_cache.h"
#include "server/tile/tile_query.h"
#include "tests/cache/fake_memcached.h"
#include "tests/cache/memcached_child.h"
#include "tests/cache/sample_tiles.h"
#include "tests/cache/temporary_folder.h"
#include "tests/field/test_world.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

using std::chrono::milliseconds;

constexpr int kTiles = 8;

std::unique_ptr<cache::TileStore> Disk(const std::string& folder) {
  auto disk = cache::DiskCache::Open(
      {.folder = folder, .budget_bytes = cache::kMinDiskCacheBytes, .retry_after = {}});
  EXPECT_TRUE(disk.ok()) << disk.status();
  return *std::move(disk);
}

std::unique_ptr<cache::TileStore> Shared(const std::vector<wire::HostPort>& servers,
                                         const cache::MemcachedOptions& options = {
                                             .timeout = std::chrono::seconds(10), .breaker = {}}) {
  return std::make_unique<cache::SharedCache>(servers, cache::SampleKeys(), options);
}

// With these short times, memcached counts as failed as soon as the server is only busy.
constexpr cache::MemcachedOptions kHasty{.timeout = milliseconds(20),
                                         .breaker = {.failures = 2, .pause = milliseconds(20)}};

template <typename... Stores>
std::unique_ptr<TestServer> ServerWith(std::size_t cache_bytes, Stores... stores) {
  TestServerOptions options;
  options.cache_bytes = cache_bytes;
  (options.stores.push_back(std::move(stores)), ...);
  return std::make_unique<TestServer>(std::move(options));
}

// The tile's bytes; empty if the call fails.
std::string Get(TestServer& server, int x) {
  grpc::ClientContext context;
  v1::GetTileResponse response;
  const grpc::Status status = server.stub().GetTile(&context, TileRequestOf(1, x, 0), &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.tile().SerializeAsString();
}

const std::vector<std::string>& Expected() {
  static const std::vector<std::string> tiles = [] {
    TestServer server;
    std::vector<std::string> made;
    for (int x = 0; x < kTiles; ++x) made.push_back(Get(server, x));
    return made;
  }();
  return tiles;
}

void ExpectAllRight(TestServer& server) {
  for (int x = 0; x < kTiles; ++x) {
    EXPECT_EQ(Get(server, x), Expected()[static_cast<std::size_t>(x)]) << x;
  }
}

void AwaitSaves(TestServer& server, std::size_t store, std::uint64_t count) {
  AwaitTrue([&] { return server.stores().stores()[store]->stats().saves >= count; });
}

TEST(CachesTest, TilesOutliveTheServerOnDisk) {
  const cache::TemporaryFolder folder;
  {
    const auto server = ServerWith(1 << 26, Disk(folder.path()));
    ExpectAllRight(*server);
    AwaitSaves(*server, 0, kTiles);
  }
  const auto server = ServerWith(1 << 26, Disk(folder.path()));
  ExpectAllRight(*server);
  EXPECT_TRUE(server->device().runs().empty());
  EXPECT_EQ(server->tiles().stats().tiles_loaded, std::uint64_t{kTiles});
  ExpectAllRight(*server);
  EXPECT_EQ(server->stores().stores()[0]->stats().hits, std::uint64_t{kTiles});
}

TEST(CachesTest, ServersShareTiles) {
  cache::MemcachedChild memcached;
  const cache::TemporaryFolder folder;
  const auto first = ServerWith(1 << 26, Shared({memcached.address()}));
  const auto second = ServerWith(1 << 26, Disk(folder.path()), Shared({memcached.address()}));
  ExpectAllRight(*first);
  AwaitSaves(*first, 0, kTiles);
  ExpectAllRight(*second);
  EXPECT_TRUE(second->device().runs().empty());
  // The tiles are now on its disk. It has not saved them to memcached again.
  AwaitSaves(*second, 0, kTiles);
  EXPECT_EQ(second->stores().stores()[1]->stats().saves, 0U);
}

TEST(CachesTest, AKilledMemcachedLosesNoAnswer) {
  cache::MemcachedChild memcached;
  const auto server = ServerWith(0, Shared({memcached.address()}, kHasty));
  ExpectAllRight(*server);
  memcached.Kill();
  ExpectAllRight(*server);
  ExpectAllRight(*server);
  memcached.Restart();
  AwaitTrue([&] {
    Get(*server, 0);
    return server->tiles().stats().tiles_loaded > 0;
  });
  ExpectAllRight(*server);
}

TEST(CachesTest, AHungMemcachedLosesNoAnswer) {
  cache::MemcachedChild memcached;
  const auto server = ServerWith(0, Shared({memcached.address()}, kHasty));
  ExpectAllRight(*server);
  memcached.Hang();
  for (int round = 0; round < 5; ++round) ExpectAllRight(*server);
  const cache::StoreStats hung = server->stores().stores()[0]->stats();
  EXPECT_GT(hung.errors, 0U);
  EXPECT_GT(hung.skipped, 0U);
  memcached.Continue();
  AwaitTrue([&] {
    Get(*server, 0);
    return server->stores().stores()[0]->stats().hits > hung.hits;
  });
  ExpectAllRight(*server);
}

TEST(CachesTest, AMemcachedThatSendsGarbageLosesNoAnswer) {
  std::mutex mutex;
  std::mt19937_64 random(1);
  // The fake answers each connection on a thread of its own.
  cache::FakeMemcached fake([&](const std::string& request) {
    const std::lock_guard lock(mutex);
    const std::vector<std::string> answers = {
        "STORED\r\n",
        "END\r\n",
        "VALUE " + request.substr(4, 40) + " 0 5\r\nhello\r\nEND\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        std::string(10'000, '\0'),
        "VERSION\r\n",
    };
    return cache::FakeMemcached::Answer{.bytes = answers[random() % answers.size()],
                                        .close = random() % 3 == 0};
  });
  const auto server = ServerWith(0, Shared({fake.address()}, kHasty));
  for (int round = 0; round < 20; ++round) ExpectAllRight(*server);
  EXPECT_EQ(server->tiles().stats().tiles_loaded, 0U);
}

// A forger, who can reach memcached but does not have the key, replaces each tile by their own. No
// caller gets a forged tile, and no disk stores one.
TEST(CachesTest, AForgedTileReachesNobody) {
  cache::MemcachedChild memcached;
  cache::SharedCache forger({memcached.address()}, cache::OtherKeys(),
                            {.timeout = std::chrono::seconds(10), .breaker = {}});
  const auto forged = std::make_shared<const std::string>("a forged tile");
  const auto put_all = [&] {
    for (int x = 0; x < kTiles; ++x) {
      const auto query = tile::ParseTileQuery(field::TestWorld(), TileRequestOf(1, x, 0));
      ASSERT_TRUE(query.ok()) << query.status();
      ASSERT_EQ(forger.Save(tile::IdOf(*query), forged), cache::SaveOutcome::kSaved);
    }
  };
  put_all();
  const cache::TemporaryFolder folder;
  {
    const auto server = ServerWith(1 << 26, Disk(folder.path()), Shared({memcached.address()}));
    ExpectAllRight(*server);
    EXPECT_EQ(server->stores().stores()[1]->stats().bad_records, std::uint64_t{kTiles});
    EXPECT_EQ(server->tiles().stats().tiles_loaded, 0U);
    AwaitSaves(*server, 0, kTiles);
  }
  const auto server = ServerWith(1 << 26, Disk(folder.path()));
  ExpectAllRight(*server);
  EXPECT_EQ(server->tiles().stats().tiles_loaded, std::uint64_t{kTiles});
}

void DamageTables(const std::string& folder, std::mt19937_64& random) {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/tiles", gone)) {
    if (entry.path().extension() != ".sst") continue;
    const std::uintmax_t size = entry.file_size(gone);
    if (gone || size == 0) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    for (int n = 0; n < 20; ++n) {
      file.seekp(static_cast<std::streamoff>(random() % size));
      file.put(static_cast<char>(random() & 0xff));
    }
  }
}

// All faults at the same time, with several callers: damaged files on the disk, one memcached that
// is killed and starts again, one that hangs and continues, and one that answers nonsense.
TEST(CachesTest, FaultsOfCachesDoNotChangeAnswers) {
  const cache::TemporaryFolder folder;
  cache::MemcachedChild killed;
  cache::MemcachedChild hung;
  cache::FakeMemcached mad(
      [](const std::string&) { return cache::FakeMemcached::Answer{.bytes = "END\r\nEND\r\n"}; });
  const auto server = ServerWith(0, Disk(folder.path()),
                                 Shared({killed.address(), hung.address(), mad.address()}, kHasty));
  Expected();
  std::atomic<bool> over = false;
  std::atomic<int> wrong = 0;
  std::atomic<std::uint64_t> calls = 0;
  std::vector<std::thread> callers;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    callers.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      while (!over) {
        const auto x = static_cast<std::size_t>(random() % kTiles);
        if (Get(*server, static_cast<int>(x)) != Expected()[x]) ++wrong;
        ++calls;
      }
    });
  }
  std::mt19937_64 random(7);
  for (int round = 0; round < 4; ++round) {
    const auto pass = [&] {
      const std::uint64_t before = calls;
      AwaitTrue([&] { return calls >= before + 60; });
    };
    killed.Kill();
    pass();
    hung.Hang();
    DamageTables(folder.path(), random);
    pass();
    killed.Restart();
    hung.Continue();
    pass();
  }
  over = true;
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
  // Each call either joined another one or was one lookup on the disk, with exactly one outcome.
  const cache::StoreStats disk = server->stores().stores()[0]->stats();
  const tile::TileServiceStats tiles = server->tiles().stats();
  EXPECT_EQ(disk.hits + disk.misses + disk.bad_records + disk.errors + disk.skipped,
            calls - tiles.joined);
  EXPECT_EQ(tiles.tiles_loaded + tiles.tiles_encoded, calls - tiles.joined);
}

}  // namespace
}  // namespace thalweg::service
