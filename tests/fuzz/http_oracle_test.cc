// The fuzzer's strict reader accepts right bytes and refuses wrong ones.
#include "tests/fuzz/http_oracle.h"

#include <gtest/gtest.h>

namespace thalweg::fuzz {
namespace {

constexpr char kGet[] = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr char kPost[] = "POST /b HTTP/1.1\r\nHost: a\r\n";

std::string Answer(const std::string& status, const std::string& rest) {
  return "HTTP/1.1 " + status + "\r\nDate: x\r\nX-Request-Id: 1\r\n" + rest;
}

TEST(HttpOracleTest, ReadsRequests) {
  const auto requests =
      RequestsIn(std::string(kGet) + kPost + "Content-Length: 2\r\n\r\n{}" + kPost +
                 "Transfer-Encoding: chunked\r\n\r\n1;a\r\nx\r\n0\r\nA: b\r\n\r\n" + kGet + "GET");
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_EQ(requests[0].target, "/a");
  EXPECT_EQ(requests[1].body, "{}");
  EXPECT_EQ(requests[2].body, "x");
  EXPECT_EQ(requests[3].method, "GET");
}

TEST(HttpOracleTest, StopsAtAmbiguousInput) {
  for (const char* fields :
       {"Transfer-Encoding: xchunked\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n",
        "Content-Length: +1\r\n", "Content-Length : 1\r\n", "X: a\r\n b\r\n", "X: a\nb\r\n",
        "Host: b\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"}) {
    EXPECT_TRUE(RequestsIn(std::string(kPost) + fields + "\r\n0\r\n\r\n").empty()) << fields;
  }
}

TEST(HttpOracleTest, ReadsResponses) {
  const OracleAnswers answers =
      AnswersIn("HTTP/1.1 100 Continue\r\n\r\n" + Answer("200 OK", "Content-Length: 2\r\n\r\nok") +
                    Answer("200 OK", "\r\n") + Answer("304 Not Modified", "\r\n"),
                {false, true, false});
  EXPECT_EQ(answers.final_codes, (std::vector<int>{200, 200, 304}));
  EXPECT_EQ(answers.interim, 1);
  EXPECT_FALSE(answers.is_cut);
  EXPECT_TRUE(AnswersIn(Answer("200 OK", "Content-Length: 3\r\n\r\nok"), {}).is_cut);
}

TEST(HttpOracleDeathTest, RejectsInvalidResponses) {
  for (const std::string& bytes :
       {std::string("ok"), Answer("200 OK", "\r\nok"),
        Answer("2000 OK", "Content-Length: 0\r\n\r\n"),
        Answer("200 OK", "Content-Length: 1\r\n\r\nok"), Answer("200 OK", "A: b\r\nA: b\r\n\r\n"),
        Answer("200 OK", "A b\r\nContent-Length: 0\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")}) {
    EXPECT_DEATH(AnswersIn(bytes, {}), "") << bytes;
  }
}

}  // namespace
}  // namespace thalweg::fuzz
