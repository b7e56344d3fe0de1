#include "proto/wire/host_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace thalweg::wire {
namespace {

TEST(HostPortTest, ReadsNamesAndAddresses) {
  EXPECT_EQ(*ParseHostPort("server", "terrain.example.org:7070", 1),
            (HostPort{"terrain.example.org", 7070}));
  EXPECT_EQ(*ParseHostPort("server", "127.0.0.1:1", 1), (HostPort{"127.0.0.1", 1}));
  EXPECT_EQ(*ParseHostPort("server", "[::1]:65535", 1), (HostPort{"::1", 65'535}));
  EXPECT_EQ(*ParseHostPort("server", "[2001:DB8::7]:80", 1), (HostPort{"2001:DB8::7", 80}));
  EXPECT_EQ(*ParseHostPort("server", "[::ffff:192.0.2.7]:80", 1),
            (HostPort{"::ffff:192.0.2.7", 80}));
  EXPECT_EQ(*ParseHostPort("server", "[fe80::1%eth0]:80", 1), (HostPort{"fe80::1%eth0", 80}));
  EXPECT_EQ(*ParseHostPort("listen", "localhost:0", 0), (HostPort{"localhost", 0}));
}

TEST(HostPortTest, RefusesOtherTexts) {
  for (const char* text :
       {"", ":", "localhost", ":7070", "localhost:", "localhost:x", "localhost:7 ", "localhost:-1",
        "localhost:+1", "localhost:0", "localhost:65536", "localhost:99999999999", "::1:7070",
        "[]:1", "[::1]", "http://localhost:1", "a b:1", "a:1,b:1"}) {
    const absl::Status status = ParseHostPort("server", text, 1).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(
        status.message(),
        "invalid server: expected HOST:PORT or [IPV6]:PORT with a port from 1 to 65535, got '" +
            std::string(text) + "'");
  }
}

TEST(HostPortTest, BracketsAreForIpv6) {
  for (const char* text : {"[localhost]:1", "[127.0.0.1]:1", "[::1]:1,[::]:1", "[::1%]:1",
                           "[::1%a,b]:1", "[%lo]:1", "[::1%a]b]:1"}) {
    EXPECT_FALSE(ParseHostPort("server", text, 1).ok()) << text;
  }
}

// Functions of C end a text at its first null character, where this one goes on.
TEST(HostPortTest, RefusesNullCharacters) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view text :
       {"127.0.0.1\0.example.org:1"sv, "[::1\0]:1"sv, "[::1%\0]:1"sv, "localhost\0:1"sv}) {
    EXPECT_FALSE(ParseHostPort("server", text, 1).ok());
    EXPECT_FALSE(IsLoopback(text));
  }
}

TEST(HostPortTest, WritesWhatItReads) {
  for (const char* text : {"127.0.0.1:1", "[::1]:65535", "localhost:7"}) {
    EXPECT_EQ(TextOf(*ParseHostPort("server", text, 1)), text);
  }
}

TEST(HostPortTest, ReplacesThePort) {
  EXPECT_EQ(WithPort("127.0.0.1:0", 7070), "127.0.0.1:7070");
  EXPECT_EQ(WithPort("[::1]:0", 7070), "[::1]:7070");
}

TEST(HostPortTest, RecognisesLoopbackAddresses) {
  for (const char* address : {"127.0.0.1:0", "127.9.9.9:1", "[::1]:70", "[0:0:0:0:0:0:0:1]:1",
                              "[0000::0001]:1", "localhost:7070"}) {
    EXPECT_TRUE(IsLoopback(address)) << address;
  }
}

TEST(HostPortTest, OtherAddressesAreNotLoopback) {
  for (const char* address :
       {"0.0.0.0:1", "[::]:1", "[::2]:1", "10.0.0.1:1", "128.0.0.1:1", "127.0.0.1.example.org:1",
        "127.example.org:1", "localhost.example.org:1", "example.org:1", "[::ffff:127.0.0.1]:1",
        "[::127.0.0.1]:1", "[::1%lo]:1", "[fe80::1%lo]:1", "[localhost]:1", ":7070", "*:1", ""}) {
    EXPECT_FALSE(IsLoopback(address)) << address;
  }
}

}  // namespace
}  // namespace thalweg::wire
