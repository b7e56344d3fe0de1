#include "server/access/listen_address.h"

#include <gtest/gtest.h>

namespace thalweg::access {
namespace {

TEST(ListenAddressTest, KnowsLoopback) {
  for (const char* address : {"127.0.0.1:0", "127.9.9.9:1", "[::1]:70", "localhost:7070"}) {
    EXPECT_TRUE(IsLoopback(address)) << address;
  }
}

TEST(ListenAddressTest, TakesAllElseForOpen) {
  for (const char* address :
       {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "128.0.0.1:1", "127.0.0.1.example.org:1",
        "localhost.example.org:1", "example.org:1", "[::ffff:127.0.0.1]:1", ":7070", "*:1", ""}) {
    EXPECT_FALSE(IsLoopback(address)) << address;
  }
}

}  // namespace
}  // namespace thalweg::access
