#include "server/cache/shared/shared_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/cache/memcached_child.h"
#include "tests/cache/sample_tiles.h"

namespace thalweg::cache {
namespace {

using std::chrono::milliseconds;

// With this timeout, a busy machine causes no failure.
MemcachedOptions PatientOptions() {
  return {.timeout = std::chrono::seconds(60),
          .breaker = {.failures = 2, .pause = milliseconds(20)}};
}

// For servers that do not answer. A busy machine may fail too, so tests repeat other calls.
MemcachedOptions HastyOptions(milliseconds pause) {
  return {.timeout = milliseconds(30), .breaker = {.failures = 2, .pause = pause}};
}

// Repeats the condition until it is true: a server may come back at any time.
void AwaitTrue(const std::function<bool()>& condition) {
  while (!condition()) std::this_thread::yield();
}

TEST(SharedCacheTest, ParsesServers) {
  const auto servers = ParseServers("10.0.0.1:11211,cache.example:80,[::1]:5");
  ASSERT_TRUE(servers.ok()) << servers.status();
  ASSERT_EQ(servers->size(), 3U);
  EXPECT_EQ((*servers)[1].host, "cache.example");
  EXPECT_EQ((*servers)[2].host, "::1");
  EXPECT_EQ((*servers)[2].port, 5);
  for (const char* bad : {"", "a", "a:", ":1", "a:0", "a:65536", "a:1,", "::1:5", "[]:1", "a:x"}) {
    EXPECT_EQ(ParseServers(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

TEST(SharedCacheTest, LoadsWhatAnotherServerSaved) {
  MemcachedChild memcached;
  SharedCache one({memcached.address()}, SampleKeys(), PatientOptions());
  SharedCache other({memcached.address()}, SampleKeys(), PatientOptions());
  EXPECT_EQ(other.Load(SampleId(1)).outcome, LoadOutcome::kMiss);
  EXPECT_EQ(one.Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
  const LoadResult result = other.Load(SampleId(1));
  EXPECT_EQ(result.outcome, LoadOutcome::kHit);
  EXPECT_EQ(*result.bytes, *SampleTile(1));
  EXPECT_EQ(other.Load(SampleId(2)).outcome, LoadOutcome::kMiss);
}

// The second key of the old server is the first key of the new one.
TEST(SharedCacheTest, TwoKeysReplaceEachOtherWithoutLoss) {
  MemcachedChild memcached;
  const MacKeys before = SampleKeys();
  const MacKeys both{.signing = OtherKeys().signing, .also_accepted = before.signing};
  SharedCache old_server({memcached.address()},
                         {.signing = before.signing, .also_accepted = both.signing},
                         PatientOptions());
  SharedCache new_server({memcached.address()}, both, PatientOptions());
  ASSERT_EQ(old_server.Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
  ASSERT_EQ(new_server.Save(SampleId(2), SampleTile(2)), SaveOutcome::kSaved);
  for (SharedCache* const server : {&old_server, &new_server}) {
    EXPECT_EQ(server->Load(SampleId(1)).outcome, LoadOutcome::kHit);
    EXPECT_EQ(server->Load(SampleId(2)).outcome, LoadOutcome::kHit);
  }
  // A server without the old key drops the tiles that it signed.
  SharedCache last_server({memcached.address()}, OtherKeys(), PatientOptions());
  EXPECT_EQ(last_server.Load(SampleId(2)).outcome, LoadOutcome::kHit);
  EXPECT_EQ(last_server.Load(SampleId(1)).outcome, LoadOutcome::kBadRecord);
  EXPECT_EQ(last_server.Load(SampleId(1)).outcome, LoadOutcome::kMiss);
}

TEST(SharedCacheTest, KeepsTilesUpToItsSizeLimit) {
  MemcachedChild memcached;
  SharedCache cache({memcached.address()}, SampleKeys(), PatientOptions());
  const auto largest = std::make_shared<const std::string>(SharedCache::kMaxTileBytes, 'x');
  EXPECT_EQ(cache.Save(SampleId(1), largest), SaveOutcome::kSaved);
  EXPECT_EQ(*cache.Load(SampleId(1)).bytes, *largest);
  const auto larger = std::make_shared<const std::string>(SharedCache::kMaxTileBytes + 1, 'x');
  EXPECT_EQ(cache.Save(SampleId(2), larger), SaveOutcome::kTooLarge);
  EXPECT_TRUE(cache.health().ok());
}

// A new server takes its share of the tiles. No other tile moves.
TEST(SharedCacheTest, AddingAServerMovesOnlyItsTiles) {
  std::vector<wire::HostPort> servers;
  for (int n = 0; n < 4; ++n) servers.push_back({"10.0.0." + std::to_string(n + 1), 11211});
  const SharedCache four(servers, SampleKeys(), {});
  servers.push_back({"10.0.0.9", 11211});
  const SharedCache five(servers, SampleKeys(), {});
  constexpr int kTiles = 5'000;
  std::vector<int> tiles(5);
  int moved_elsewhere = 0;
  for (int n = 0; n < kTiles; ++n) {
    const std::size_t before = four.HomesOf(SampleId(n)).front();
    const std::size_t after = five.HomesOf(SampleId(n)).front();
    ++tiles[after];
    if (after != before && after != 4) ++moved_elsewhere;
  }
  EXPECT_EQ(moved_elsewhere, 0);
  for (const int count : tiles) {
    EXPECT_GT(count, kTiles / 10);
    EXPECT_LT(count, kTiles * 3 / 10);
  }
}

// The other servers have other places in the list then, and keep their tiles. The tiles of the lost
// one go where they are while it fails.
TEST(SharedCacheTest, RemovingAServerMovesOnlyItsTiles) {
  const std::vector<wire::HostPort> servers = {
      {"10.0.0.1", 11211}, {"10.0.0.2", 11211}, {"::1", 11211}, {"cache.example", 11211}};
  const std::vector<wire::HostPort> fewer = {servers[3], servers[0], servers[2]};
  const SharedCache four(servers, SampleKeys(), {});
  const SharedCache three(fewer, SampleKeys(), {});
  std::vector<int> tiles(3);
  for (int n = 0; n < 2'000; ++n) {
    const std::vector<std::size_t> before = four.HomesOf(SampleId(n));
    const std::size_t after = three.HomesOf(SampleId(n)).front();
    ASSERT_EQ(fewer[after], servers[before[0] == 1 ? before[1] : before[0]]) << "tile " << n;
    if (before[0] == 1) ++tiles[after];
  }
  for (const int count : tiles) EXPECT_GT(count, 50);
}

// A tile without one home must not be asked for everywhere.
TEST(SharedCacheTest, ATileHasFourHomesAtMost) {
  std::vector<wire::HostPort> servers;
  for (int n = 0; n < 9; ++n) servers.push_back({"10.0.0." + std::to_string(n + 1), 11211});
  EXPECT_EQ(SharedCache(servers, SampleKeys(), {}).HomesOf(SampleId(1)).size(), 4U);
}

TEST(SharedCacheTest, SpreadsTilesOverItsServers) {
  MemcachedChild a;
  MemcachedChild b;
  SharedCache both({a.address(), b.address()}, SampleKeys(), PatientOptions());
  SharedCache only_a({a.address()}, SampleKeys(), PatientOptions());
  SharedCache only_b({b.address()}, SampleKeys(), PatientOptions());
  constexpr int kTiles = 60;
  for (int n = 0; n < kTiles; ++n) {
    ASSERT_EQ(both.Save(SampleId(n), SampleTile(n)), SaveOutcome::kSaved);
  }
  EXPECT_EQ(TakeInventory(both, kTiles).right, kTiles);
  const int in_a = TakeInventory(only_a, kTiles).right;
  EXPECT_EQ(in_a + TakeInventory(only_b, kTiles).right, kTiles);
  EXPECT_GT(in_a, kTiles / 6);
  EXPECT_LT(in_a, kTiles * 5 / 6);
}

TEST(SharedCacheTest, AKilledServerIsSkippedUntilItReturns) {
  MemcachedChild memcached;
  SharedCache cache({memcached.address()}, SampleKeys(), PatientOptions());
  ASSERT_EQ(cache.Save(SampleId(1), SampleTile(1)), SaveOutcome::kSaved);
  memcached.Kill();
  EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kError);
  AwaitTrue([&] { return cache.Load(SampleId(1)).outcome == LoadOutcome::kSkipped; });
  const std::string message(cache.health().message());
  EXPECT_NE(message.find(std::to_string(memcached.address().port)), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  memcached.Restart();
  AwaitTrue([&] { return cache.Save(SampleId(1), SampleTile(1)) == SaveOutcome::kSaved; });
  EXPECT_TRUE(cache.health().ok()) << cache.health();
  EXPECT_EQ(*cache.Load(SampleId(1)).bytes, *SampleTile(1));
}

TEST(SharedCacheTest, AHungServerIsSkipped) {
  MemcachedChild memcached;
  SharedCache cache({memcached.address()}, SampleKeys(), HastyOptions(std::chrono::hours(1)));
  AwaitTrue([&] { return cache.Save(SampleId(1), SampleTile(1)) == SaveOutcome::kSaved; });
  memcached.Hang();
  // The first load fails on the old connection, the second on one that only the system accepted.
  EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kError);
  EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kError);
  EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kSkipped);
  EXPECT_EQ(cache.Save(SampleId(2), SampleTile(2)), SaveOutcome::kSkipped);
  EXPECT_EQ(cache.health().code(), absl::StatusCode::kUnavailable);
}

TEST(SharedCacheTest, AHungServerIsUsedAgainOnceItAnswers) {
  MemcachedChild memcached;
  SharedCache cache({memcached.address()}, SampleKeys(), HastyOptions(milliseconds(20)));
  AwaitTrue([&] { return cache.Save(SampleId(1), SampleTile(1)) == SaveOutcome::kSaved; });
  memcached.Hang();
  AwaitTrue([&] { return cache.Load(SampleId(1)).outcome == LoadOutcome::kSkipped; });
  memcached.Continue();
  LoadResult result;
  AwaitTrue([&] {
    result = cache.Load(SampleId(1));
    return result.outcome == LoadOutcome::kHit;
  });
  EXPECT_EQ(*result.bytes, *SampleTile(1));
  EXPECT_TRUE(cache.health().ok());
}

// While one of two servers is down, the other one keeps its tiles.
TEST(SharedCacheTest, AnotherServerKeepsTheTilesOfADeadOne) {
  MemcachedChild a;
  MemcachedChild b;
  MemcachedOptions options = PatientOptions();
  options.breaker.pause = std::chrono::hours(1);
  SharedCache cache({a.address(), b.address()}, SampleKeys(), options);
  a.Kill();
  constexpr int kTiles = 40;
  AwaitTrue([&] {
    bool all = true;
    for (int n = 0; n < kTiles; ++n) {
      all = cache.Save(SampleId(n), SampleTile(n)) == SaveOutcome::kSaved && all;
    }
    return all;
  });
  EXPECT_EQ(TakeInventory(cache, kTiles).right, kTiles);
  EXPECT_EQ(cache.health().code(), absl::StatusCode::kUnavailable);
}

TEST(SharedCacheTest, ManyThreadsLoadTheRightTiles) {
  MemcachedChild memcached;
  SharedCache cache({memcached.address()}, SampleKeys(),
                    MemcachedOptions{.timeout = std::chrono::seconds(60), .breaker = {}});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (std::int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::int64_t n = 0; n < 200; ++n) {
        const std::int64_t tile = t * 1'000 + n;
        const bool saved = cache.Save(SampleId(tile), SampleTile(tile)) == SaveOutcome::kSaved;
        const TileBytes bytes = cache.Load(SampleId(tile)).bytes;
        if (!saved || bytes == nullptr || *bytes != *SampleTile(tile)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace thalweg::cache
