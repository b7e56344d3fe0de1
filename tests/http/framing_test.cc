// Where requests end (RFC 9112). The server refuses requests that a proxy in front of it could read
// in another way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/request_reader.h"

namespace thalweg::http {
namespace {

using ::testing::HasSubstr;
using Progress = RequestReader::Progress;

struct Outcome {
  // The HTTP code of the refusal; 0 if the request is valid.
  int refused = 0;
  std::string detail = {};
  std::string body = {};
  // The bytes that are left for the next request.
  std::size_t unread = 0;
  bool keep_alive = false;
  bool more = false;
};

// Reads the first request of the bytes, `step` bytes at a time.
Outcome Read(std::string_view text, std::size_t step) {
  const HttpLimits limits;
  RequestReader reader(limits);
  for (;;) {
    const Progress progress = reader.Read();
    if (progress == Progress::kRequest) {
      const bool keep_alive = reader.keep_alive();
      const Message message = reader.Take();
      return {.body = message.body(),
              .unread = reader.unread_bytes() + text.size(),
              .keep_alive = keep_alive};
    }
    if (progress == Progress::kRefused) {
      return {.refused = reader.refusal().code, .detail = reader.refusal().detail};
    }
    if (progress == Progress::kMore) {
      if (text.empty()) return {.more = true};
      reader.Append(text.substr(0, step));
      text.remove_prefix(std::min(step, text.size()));
    }
  }
}

// Reads the bytes at once and one by one: the results must be equal.
Outcome Read(const std::string& text) {
  Outcome whole = Read(text, text.size());
  const Outcome parts = Read(text, 1);
  EXPECT_EQ(whole.refused, parts.refused) << text;
  EXPECT_EQ(whole.body, parts.body) << text;
  EXPECT_EQ(whole.unread, parts.unread) << text;
  EXPECT_EQ(whole.more, parts.more) << text;
  return whole;
}

std::string Post(const std::string& fields, const std::string& version = "HTTP/1.1") {
  return "POST /v1/worlds " + version + "\r\nHost: a\r\n" + fields + "\r\n";
}

TEST(FramingTest, ABodyHasOneLength) {
  struct Case {
    const char* fields;
    const char* rest;
    const char* body;
    std::size_t unread;
  };
  for (const Case& one : std::vector<Case>{
           {"", "next", "", 4},
           {"Content-Length: 0\r\n", "next", "", 4},
           {"Content-Length: 5\r\n", "hellonext", "hello", 4},
           {"content-length:\t5 \r\n", "hellonext", "hello", 4},
           {"Content-Length: 0000000005\r\n", "hellonext", "hello", 4},
           {"Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\nnext", "hello", 4},
           {"Transfer-Encoding:CHUNKED\r\n", "2\r\nhe\r\n3;a=b\r\nllo\r\n000\r\n\r\nnext", "hello",
            4},
           {"Transfer-Encoding: chunked\r\n", "0\r\n\r\nnext", "", 4},
       }) {
    const Outcome outcome = Read(Post(one.fields) + one.rest);
    EXPECT_EQ(outcome.refused, 0) << one.fields << outcome.detail;
    EXPECT_EQ(outcome.body, one.body) << one.fields;
    EXPECT_EQ(outcome.unread, one.unread) << one.fields;
    EXPECT_TRUE(outcome.keep_alive);
  }
}

TEST(FramingTest, ABodyWithoutAClearLengthIsRefused) {
  struct Case {
    const char* fields;
    int code = 400;
  };
  for (const Case& one : std::vector<Case>{
           // RFC 9112, 6.1 and 6.3: the last coding must be chunked. This server knows no other
           // coding.
           {"Transfer-Encoding: xchunked\r\n"},
           {"Transfer-Encoding: chunkedx\r\n"},
           {"Transfer-Encoding: identity\r\n"},
           {"Transfer-Encoding: gzip\r\n"},
           {"Transfer-Encoding: chunked, identity\r\n"},
           {"Transfer-Encoding: chunked, gzip\r\n"},
           {"Transfer-Encoding: \"chunked\"\r\n"},
           {"Transfer-Encoding: chunked;q=1\r\n"},
           {"Transfer-Encoding: \r\n"},
           {"Transfer-Encoding: gzip, chunked\r\n", 501},
           {"Transfer-Encoding: chunked, chunked\r\n", 501},
           // Several fields, or both kinds.
           {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"},
           {"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n"},
           {"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"},
           {"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"},
           {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"},
           {"Content-Length: 5\r\nTransfer-Encoding: identity\r\n"},
           {"Content-Length: 5\r\nContent-Length: 5\r\n"},
           {"Content-Length: 5\r\nContent-Length: 6\r\n"},
           {"Content-Length: 0\r\nContent-Length: 5\r\n"},
           // 6.2: digits only.
           {"Content-Length: 5, 5\r\n"},
           {"Content-Length: +5\r\n"},
           {"Content-Length: -5\r\n"},
           {"Content-Length: 5 5\r\n"},
           {"Content-Length: 0x5\r\n"},
           {"Content-Length: 5.\r\n"},
           {"Content-Length: 5e0\r\n"},
           {"Content-Length: \r\n"},
           {"Content-Length: ,\r\n"},
           {"Content-Length: 18446744073709551621\r\n"},
           {"Content-Length: 99999999999999999999999\r\n"},
           // 5.1 and 5.2: no space before a colon, no folded lines.
           {"Content-Length : 5\r\n"},
           {"Transfer-Encoding : chunked\r\n"},
           {"Transfer-Encoding\t: chunked\r\n"},
           {" Content-Length: 5\r\n"},
           {"X: a\r\n b\r\n"},
           {"X: a\r\n\tTransfer-Encoding: chunked\r\n"},
           {"X:\r\n a\r\n"},
           {"Transfer-Encoding:\r\n chunked\r\n"},
           {"X: a\r\n \r\n"},
           // 2.2: lines end with CRLF, never with only one of the two.
           {"X: a\nContent-Length: 5\r\n"},
           {"X: a\rContent-Length: 5\r\n"},
           {"X: a\r\r\n"},
           {"\nX: a\r\n"},
           // No other characters in names and values.
           {": 5\r\n"},
           {"Content Length: 5\r\n"},
           {"Content-Length: 5\x01\r\n"},
           {"Content-Length: \x0b"
            "5\r\n"},
           {"Transfer-Encoding: \x0b"
            "chunked\r\n"},
           {"Content-Length\r\n"},
           // A second Host.
           {"Host: a\r\n"},
           {"Host: b\r\n"},
           {"hOST:\r\n"},
       }) {
    const Outcome outcome = Read(Post(one.fields) + "hello");
    EXPECT_EQ(outcome.refused, one.code) << one.fields << outcome.detail;
    EXPECT_FALSE(outcome.keep_alive);
  }
}

TEST(FramingTest, InvalidChunksAreRefused) {
  for (const char* chunks :
       {"x\r\n", "-1\r\n", "+5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
        "5\r\nhelloworld\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5;\nx\r\nhello\r\n0\r\n\r\n",
        "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n", "5;a\rb\r\nhello\r\n0\r\n\r\n", "fffffffffffffffff\r\n",
        "10000000000000005\r\nhello", "\r\n5\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nContent-Length: 3\r\n\r\n",
        "5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "5\r\nhello\r\n0\r\nX : a\r\n\r\n"}) {
    const Outcome outcome = Read(Post("Transfer-Encoding: chunked\r\n") + chunks);
    EXPECT_EQ(outcome.refused, 400) << chunks << outcome.detail;
  }
  EXPECT_EQ(Read(Post("Transfer-Encoding: chunked\r\n") + "fffff\r\n").refused, 413);
  EXPECT_EQ(Read(Post("Transfer-Encoding: chunked\r\n") + "1;" + std::string(20'000, 'a')).refused,
            400);
}

// When trailers come, the request has already been checked by its head (RFC 9110, 6.5.1).
TEST(FramingTest, TrailersAddNoFieldsToTheHead) {
  const HttpLimits limits;
  RequestReader reader(limits);
  reader.Append(Post("Transfer-Encoding: chunked\r\nX-A: 1\r\n") +
                "2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\nHost: b\r\nConnection: close\r\nX-A: "
                "2\r\n\r\n");
  EXPECT_EQ(reader.Read(), Progress::kHead);
  EXPECT_EQ(reader.Read(), Progress::kRequest);
  EXPECT_TRUE(reader.keep_alive());
  const Message message = reader.Take();
  EXPECT_EQ(message.body(), "{}");
  EXPECT_EQ(message.count("Authorization"), 0U);
  EXPECT_EQ(message.count("Host"), 1U);
  EXPECT_EQ(message["Host"], "a");
  EXPECT_EQ(message.count("X-A"), 1U);
}

TEST(FramingTest, OldRequestsHaveNoChunks) {
  EXPECT_EQ(Read(Post("Transfer-Encoding: chunked\r\n", "HTTP/1.0") + "0\r\n\r\n").refused, 400);
  const Outcome plain = Read(Post("Content-Length: 5\r\n", "HTTP/1.0") + "hello");
  EXPECT_EQ(plain.body, "hello");
  EXPECT_FALSE(plain.keep_alive);
  EXPECT_EQ(Read("GET / HTTP/1.0\r\n\r\n").refused, 0);
  EXPECT_EQ(Read("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n").refused, 400);
  EXPECT_EQ(Read("GET / HTTP/1.1\r\n\r\n").refused, 400);
}

TEST(FramingTest, OnlyPostHasABody) {
  for (const char* method : {"GET", "HEAD", "OPTIONS", "DELETE", "PUT"}) {
    const std::string start = std::string(method) + " / HTTP/1.1\r\nHost: a\r\n";
    EXPECT_EQ(Read(start + "Content-Length: 5\r\n\r\nhello").refused, 413) << method;
    EXPECT_EQ(Read(start + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").refused, 413) << method;
    EXPECT_EQ(Read(start + "Content-Length: 0\r\n\r\n").refused, 0) << method;
  }
}

TEST(FramingTest, ErrorsSayWhatIsExpected) {
  EXPECT_EQ(Read(Post("Transfer-Encoding: xchunked\r\n")).detail,
            "invalid Transfer-Encoding: expected chunked, got 'xchunked'");
  EXPECT_EQ(Read(Post("Content-Length: 5, 5\r\n")).detail,
            "invalid Content-Length: expected a decimal number, got '5, 5'");
  EXPECT_EQ(Read(Post("Host: b\r\n")).detail, "invalid Host: expected one, got 2");
  EXPECT_THAT(Read(Post("X: a\r\n b\r\n")).detail, HasSubstr("a field is split over two lines"));
}

}  // namespace
}  // namespace thalweg::http
