#include "server/http/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ResponseTest, StatesTheLengthOfItsBody) {
  Response response{
      .status = 200, .content_type = "text/plain", .headers = "", .body = BodyOf("abc")};
  response.Add("ETag", "\"1\"");
  const std::string head = HeadOf(response, "now", true, false);
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\nDate: now\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Length: 3\r\n"));
  EXPECT_THAT(head, HasSubstr("ETag: \"1\"\r\n"));
  EXPECT_THAT(head, EndsWith("\r\n\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Connection:")));
  EXPECT_THAT(HeadOf(response, "now", false, false), HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(HeadOf(response, "now", true, true), HasSubstr("Connection: keep-alive\r\n"));
}

TEST(ResponseTest, SomeResponsesHaveNoLength) {
  const Response none{.status = 304, .content_type = "", .headers = "", .body = nullptr};
  EXPECT_THAT(HeadOf(none, "now", true, false), Not(HasSubstr("Content-Length")));
  const Response unknown{.status = 200,
                         .content_type = "image/png",
                         .headers = "",
                         .body = nullptr,
                         .has_length = false};
  EXPECT_THAT(HeadOf(unknown, "now", true, false), Not(HasSubstr("Content-Length")));
}

}  // namespace
}  // namespace thalweg::http
