#include "server/http/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/base/message_text.h"
#include "proto/wire/status_details.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {
namespace {

using ::testing::HasSubstr;

TEST(ProblemTest, IsADocument) {
  const Response response = ProblemOf(absl::NotFoundError("world 'a\"\n': there is none"), "id-1");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.content_type, "application/problem+json");
  v1::Problem problem;
  ASSERT_TRUE(text::FromJson(*response.body, problem).ok()) << *response.body;
  EXPECT_EQ(problem.type(), "about:blank");
  EXPECT_EQ(problem.title(), "Not Found");
  EXPECT_EQ(problem.status(), 404U);
  EXPECT_EQ(problem.detail(), "world 'a\"\n': there is none");
  EXPECT_EQ(problem.instance(), "urn:thalweg:call:id-1");
}

TEST(ProblemTest, RepeatsNoBytesThatAreNotText) {
  const Response response = ProblemOf(absl::NotFoundError("world '\xff\xfe'"), "id-1");
  EXPECT_THAT(*response.body, HasSubstr("\\\\xff\\\\xfe"));
}

// No error may look like success or a redirection.
TEST(ProblemTest, EveryErrorHasACode) {
  for (int code = 1; code <= 16; ++code) {
    const int http = CodeOf(absl::Status(static_cast<absl::StatusCode>(code), ""));
    EXPECT_TRUE(http >= 400 && http < 600) << code;
    EXPECT_NE(ReasonOf(http), "Error") << http;
  }
}

TEST(ProblemTest, SaysWhenToRetryAndWhichHeaderToSend) {
  absl::Status limited = absl::ResourceExhaustedError("too many");
  wire::SetRetryDelay(limited, std::chrono::milliseconds(1'200));
  EXPECT_THAT(ProblemOf(limited, "x").headers, HasSubstr("Retry-After: 2\r\n"));
  EXPECT_THAT(ProblemOf(absl::UnauthenticatedError("token"), "x").headers,
              HasSubstr("WWW-Authenticate: Bearer\r\n"));
}

}  // namespace
}  // namespace thalweg::http
