// Problem documents (RFC 9457) over HTTP.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/service/http_client.h"

namespace thalweg::service {

// Expects that an answer to this path is a problem whose text contains `detail`.
inline void ExpectProblem(const HttpAnswer& answer, const std::string& path, int status,
                          const std::string& detail) {
  EXPECT_EQ(answer.status, status) << path;
  EXPECT_EQ(answer.Header("content-type"), "application/problem+json") << path;
  EXPECT_THAT(answer.body, testing::HasSubstr(detail)) << path;
}

}  // namespace thalweg::service
