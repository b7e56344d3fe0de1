// The shared cache with servers that answer nonsense: no crash, no wrong byte, no endless wait.
#include <gtest/gtest.h>

#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "server/cache/shared/shared_cache.h"
#include "server/cache/tile_record.h"
#include "tests/cache/fake_memcached.h"
#include "tests/cache/sample_tiles.h"

namespace thalweg::cache {
namespace {

using std::chrono::milliseconds;

// With these, every call reaches the server, however often calls have failed.
MemcachedOptions TirelessOptions() {
  return {.timeout = milliseconds(20),
          .breaker = {.failures = 1'000'000, .pause = milliseconds(1)}};
}

// With this timeout, a busy machine causes no failure.
MemcachedOptions LongOptions() { return {.timeout = std::chrono::seconds(60), .breaker = {}}; }

std::string RandomBytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() & 0xff);
  return bytes;
}

// memcached's correct answer to a request with `get`.
std::string ValueOf(const std::string& request, const std::string& value) {
  const std::size_t begin = request.find(' ') + 1;
  const std::string key = request.substr(begin, request.find_first_of(" \r\n", begin) - begin);
  return "VALUE " + key + " 0 " + std::to_string(value.size()) + "\r\n" + value + "\r\nEND\r\n";
}

// Answers with one fault, or with none.
std::string AlmostRight(std::mt19937_64& random, const std::string& request) {
  const std::string record = EncodeRecord(SampleKeys(), SampleId(1), *SampleTile(1, 3'000));
  std::string answer = ValueOf(request, record);
  switch (random() % 11) {
    case 0:  // a bit is flipped
      answer[random() % answer.size()] ^= static_cast<char>(1U << random() % 8);
      return answer;
    case 1:  // the end is missing
      return answer.substr(0, random() % answer.size());
    case 2:  // another tile's record
      return ValueOf(request, EncodeRecord(SampleKeys(), SampleId(2), *SampleTile(2, 3'000)));
    case 3:  // another tile's bytes under this one's header
      return ValueOf(request, record.substr(0, kRecordHeaderBytes) + *SampleTile(2, 3'000));
    case 4:  // a wrong length, mostly larger than any memory
      return "VALUE k 0 " + std::to_string(random() >> random() % 40) + "\r\n" + record;
    case 5:
      return "VALUE";
    case 6:
      return std::string(1 << 20, 'x');
    case 7:
      return "SERVER_ERROR out of memory\r\n" + answer;
    case 8:
      return answer + answer;
    case 9:  // no fault
      return answer;
    default:
      return ValueOf(request, record.substr(0, random() % record.size()));
  }
}

TEST(GarbageTest, NoAnswerGivesAWrongByte) {
  std::mt19937_64 random(1);
  FakeMemcached fake([&random](const std::string& request) {
    FakeMemcached::Answer answer;
    answer.bytes =
        random() % 4 == 0 ? RandomBytes(random, random() % 5'000) : AlmostRight(random, request);
    answer.close = random() % 2 == 0;
    return answer;
  });
  SharedCache cache({fake.address()}, SampleKeys(), TirelessOptions());
  const std::string right = *SampleTile(1, 3'000);
  int hits = 0;
  int bad_records = 0;
  int errors = 0;
  for (int n = 0; n < 500; ++n) {
    const LoadResult result = cache.Load(SampleId(1));
    if (result.bytes != nullptr) {
      ++hits;
      ASSERT_EQ(*result.bytes, right) << "seed 1, load " << n;
    }
    bad_records += result.outcome == LoadOutcome::kBadRecord ? 1 : 0;
    errors += result.outcome == LoadOutcome::kError ? 1 : 0;
    if (n % 10 == 0) cache.Save(SampleId(1), SampleTile(1, 3'000));
  }
  // All three outcomes occurred. A flipped bit of a flag has no effect.
  EXPECT_GT(bad_records, 50);
  EXPECT_GT(errors, 50);
  EXPECT_GT(hits, 0);
}

// Whoever can reach memcached may write to it, but can't forge a tile without the key.
TEST(GarbageTest, ATileForgedWithoutTheKeyIsDropped) {
  std::string record;
  FakeMemcached fake([&record](const std::string& request) {
    const bool asked = request.starts_with("get ");
    return FakeMemcached::Answer{.bytes = asked ? ValueOf(request, record) : "DELETED\r\n"};
  });
  const auto load = [&fake] {
    SharedCache cache({fake.address()}, SampleKeys(), LongOptions());
    return cache.Load(SampleId(1));
  };
  const std::string forged = *SampleTile(2, 3'000);
  MacKeys zeros;
  for (const MacKeys& keys : {OtherKeys(), zeros}) {
    record = EncodeRecord(keys, SampleId(1), forged);
    const LoadResult result = load();
    EXPECT_EQ(result.outcome, LoadOutcome::kBadRecord);
    EXPECT_EQ(result.bytes, nullptr);
  }
  // A MAC is valid for its own tile only.
  record = EncodeRecord(SampleKeys(), SampleId(2), forged);
  const std::string head = EncodeRecord(SampleKeys(), SampleId(1), forged);
  record.replace(0, kRecordHeaderBytes - kMacBytes, head, 0, kRecordHeaderBytes - kMacBytes);
  EXPECT_EQ(load().outcome, LoadOutcome::kBadRecord);
  // The twin: with the key, the forged tile is accepted.
  record = EncodeRecord(SampleKeys(), SampleId(1), forged);
  const LoadResult believed = load();
  ASSERT_EQ(believed.outcome, LoadOutcome::kHit);
  EXPECT_EQ(*believed.bytes, forged);
}

// The twin: without the check of records, these answers give wrong bytes.
TEST(GarbageTest, WithoutTheCheckAnswersHaveWrongBytes) {
  FakeMemcached fake([](const std::string& request) {
    return FakeMemcached::Answer{
        .bytes = ValueOf(request, EncodeRecord(SampleKeys(), SampleId(2), *SampleTile(2, 3'000)))};
  });
  MemcachedServer server(fake.address(), TirelessOptions());
  const auto value = server.Get("thalweg:1");
  ASSERT_TRUE(value.ok()) << value.status();
  ASSERT_TRUE(value->has_value());
  EXPECT_EQ((**value).substr(kRecordHeaderBytes), *SampleTile(2, 3'000));
  SharedCache cache({fake.address()}, SampleKeys(), TirelessOptions());
  EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kBadRecord);
}

// If an answer comes very slowly, the call still ends after its timeout.
TEST(GarbageTest, AVerySlowAnswerTimesOut) {
  FakeMemcached fake([](const std::string& request) {
    return FakeMemcached::Answer{.bytes = ValueOf(request, *SampleTile(1, 1'000'000)),
                                 .trickle = true};
  });
  SharedCache cache({fake.address()}, SampleKeys(), TirelessOptions());
  EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kError);
}

TEST(GarbageTest, AServerThatSendsGarbageIsSkipped) {
  FakeMemcached fake([](const std::string&) {
    return FakeMemcached::Answer{.bytes = "HTTP/1.1 400 Bad Request\r\n\r\n", .close = true};
  });
  SharedCache cache({fake.address()}, SampleKeys(),
                    {.timeout = std::chrono::seconds(10),
                     .breaker = {.failures = 3, .pause = std::chrono::hours(1)}});
  for (int n = 0; n < 3; ++n) EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kError);
  EXPECT_EQ(cache.Load(SampleId(1)).outcome, LoadOutcome::kSkipped);
  EXPECT_EQ(cache.Save(SampleId(1), SampleTile(1)), SaveOutcome::kSkipped);
}

}  // namespace
}  // namespace thalweg::cache
