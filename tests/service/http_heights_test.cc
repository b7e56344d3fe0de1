// Heights at points and along lines, over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/message_text.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

constexpr char kJsonBody[] = "Content-Type: application/json\r\n";
constexpr char kPlaneHeights[] = "/v1/worlds/test-1/heights";
constexpr char kPlanetHeights[] = "/v1/worlds/test-planet/heights";

class HttpHeightsTest : public testing::Test {
 protected:
  HttpHeightsTest() : server_(Options()), client_(server_.port()) {}

  static TestServerOptions Options() {
    TestServerOptions options;
    options.worlds = {field::TestWorld(), field::PlanetWorld()};
    return options;
  }

  HttpAnswer Ask(const std::string& path, const std::string& body,
                 const std::string& headers = "") {
    return client_.Ask("POST", path, kJsonBody + headers, body);
  }

  v1::HeightsAnswer Heights(const std::string& path, const v1::HeightsQuestion& question) {
    const HttpAnswer answer = Ask(path, text::ToJsonLine(question).value());
    v1::HeightsAnswer heights;
    const absl::Status read = text::FromJson(answer.body, heights);
    EXPECT_TRUE(read.ok()) << read << answer.body.substr(0, 300);
    return heights;
  }

  // The same points over gRPC.
  std::vector<double> OverGrpc(const std::string& world, const v1::HeightsAnswer& points) {
    v1::SampleHeightsRequest request;
    request.set_world(world);
    request.set_level(points.level());
    *request.mutable_east_m() = points.east_m();
    *request.mutable_south_m() = points.south_m();
    *request.mutable_latitude_deg() = points.latitude_deg();
    *request.mutable_longitude_deg() = points.longitude_deg();
    v1::SampleHeightsResponse response;
    grpc::ClientContext context;
    const grpc::Status status = server_->stub().SampleHeights(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    std::vector<double> heights_m;
    for (const std::int32_t height : response.heights()) heights_m.push_back(height / 65536.0);
    return heights_m;
  }

  void ExpectEqual(const std::string& world, const v1::HeightsAnswer& points) {
    const std::vector<double> heights_m = OverGrpc(world, points);
    ASSERT_EQ(points.height_m_size(), static_cast<int>(heights_m.size()));
    for (std::size_t n = 0; n < heights_m.size(); ++n) {
      EXPECT_EQ(points.height_m(static_cast<int>(n)), heights_m[n]) << n;
    }
  }

  WebServer server_;
  HttpClient client_;
};

TEST_F(HttpHeightsTest, HeightsEqualThoseOfGrpc) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> metres(-2e6, 2e6);
  v1::HeightsQuestion question;
  question.set_level(2);
  for (int n = 0; n < 60; ++n) {
    question.add_east_m(metres(random));
    question.add_south_m(metres(random));
  }
  v1::HeightsAnswer answer = Heights(kPlaneHeights, question);
  EXPECT_EQ(answer.world(), field::TestWorld()->hex_id());
  EXPECT_EQ(answer.level(), 2U);
  EXPECT_EQ(answer.east_m_size(), 0);
  *answer.mutable_east_m() = question.east_m();
  *answer.mutable_south_m() = question.south_m();
  ExpectEqual("test-1", answer);
}

TEST_F(HttpHeightsTest, AProfileHasPointsAtEqualDistances) {
  v1::HeightsQuestion question;
  question.set_level(3);
  for (const auto& [east, south] : {std::pair{-900.0, 200.0}, {-500.0, 500.0}, {-500.0, 100.0}}) {
    question.add_east_m(east);
    question.add_south_m(south);
  }
  question.set_profile(10);
  const v1::HeightsAnswer answer = Heights(kPlaneHeights, question);
  ASSERT_EQ(answer.distance_m_size(), 10);
  // 500 m to the corner, and 400 m from there.
  for (int n = 0; n < 10; ++n) {
    EXPECT_NEAR(answer.distance_m(n), 100 * n, 1e-9);
    const double on_second = std::max(100.0 * n - 500, 0.0);
    const double on_first = std::min(100.0 * n, 500.0);
    EXPECT_NEAR(answer.east_m(n), -900 + 0.8 * on_first, 1e-9);
    EXPECT_NEAR(answer.south_m(n), 200 + 0.6 * on_first - on_second, 1e-9);
  }
  ExpectEqual("test-1", answer);
}

TEST_F(HttpHeightsTest, AProfileOfAPlanetFollowsGreatCircles) {
  v1::HeightsQuestion question;
  question.set_level(1);
  for (const auto& [latitude, longitude] : {std::pair{50.0, 170.0}, {50.0, -170.0}}) {
    question.add_latitude_deg(latitude);
    question.add_longitude_deg(longitude);
  }
  question.set_profile(5);
  const v1::HeightsAnswer answer = Heights(kPlanetHeights, question);
  ASSERT_EQ(answer.latitude_deg_size(), 5);
  // Over the 180th meridian, and north of the parallel.
  EXPECT_NEAR(std::abs(answer.longitude_deg(2)), 180, 1e-9);
  EXPECT_NEAR(answer.latitude_deg(2),
              std::atan(std::tan(50 * M_PI / 180) / std::cos(10 * M_PI / 180)) * 180 / M_PI, 1e-9);
  EXPECT_NEAR(answer.distance_m(4) / answer.distance_m(1), 4, 1e-9);
  ExpectEqual("test-planet", answer);
}

TEST_F(HttpHeightsTest, HeightsAreCsvOnRequest) {
  const std::string body = R"({"level": 2, "east_m": [0, 20.5], "south_m": [-7, 1e3]})";
  const HttpAnswer answer = Ask(kPlaneHeights, body, "Accept: text/csv\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Header("content-type"), "text/csv; charset=utf-8");
  const std::vector<std::string> lines = absl::StrSplit(answer.body, '\n');
  ASSERT_EQ(lines.size(), 4U) << answer.body;
  EXPECT_EQ(lines[0], "east_m,south_m,height_m");
  EXPECT_THAT(lines[1], testing::StartsWith("0,-7,"));
  EXPECT_THAT(lines[2], testing::StartsWith("20.5,1000,"));
  EXPECT_EQ(lines[3], "");
  EXPECT_EQ(Ask(std::string(kPlaneHeights) + "?format=csv", body).body, answer.body);
  EXPECT_THAT(Ask(std::string(kPlaneHeights) + "?format=json", body, "Accept: text/csv\r\n").body,
              HasSubstr("\"height_m\":["));
  EXPECT_THAT(Ask(std::string(kPlaneHeights) + "?format=csv",
                  R"({"level": 2, "east_m": [0, 9], "south_m": [0, 0], "profile": 2})")
                  .body,
              testing::StartsWith("distance_m,east_m,south_m,height_m\n0,0,0,"));
}

TEST_F(HttpHeightsTest, PagesOfOtherOriginsMayAskForHeights) {
  const std::string page = "Origin: http://a.test\r\nSec-Fetch-Site: cross-site\r\n";
  const HttpAnswer preflight =
      client_.Ask("OPTIONS", kPlaneHeights, page + "Access-Control-Request-Method: POST\r\n");
  EXPECT_EQ(preflight.Header("access-control-allow-methods"), "POST");
  EXPECT_THAT(preflight.Header("access-control-allow-headers"), HasSubstr("Content-Type"));
  const HttpAnswer answer =
      Ask(kPlaneHeights, R"({"level": 0, "east_m": [0], "south_m": [0]})", page);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Header("access-control-allow-origin"), "*");
}

TEST_F(HttpHeightsTest, InvalidRequestsAreExplained) {
  for (const auto& [body, message] :
       {std::pair(R"({"east_m": [0], "south_m": [0]})", "level is missing: expected 0 to 5"),
        std::pair(R"({"level": 6, "east_m": [0], "south_m": [0]})", "level"),
        std::pair(R"({"level": 1, "east_m": [0], "south_m": []})", "as many as east_m"),
        std::pair(R"({"level": 1, "east_m": ["NaN"], "south_m": [0]})", "a finite number"),
        std::pair(R"({"level": 1, "east_m": [1e300], "south_m": [0]})", "invalid east_m"),
        std::pair(R"({"level": 1, "latitude_deg": [1], "longitude_deg": [0]})", "use east_m"),
        std::pair(R"({"level": 1, "east_m": [0, 1], "south_m": [0, 1], "profile": 1})",
                  "invalid profile: expected 2 to 8192 points, got 1"),
        std::pair(R"({"level": 1, "east_m": [0, 1], "south_m": [0, 1], "profile": 8193})",
                  "invalid profile"),
        std::pair(R"({"level": 1, "east_m": [0], "south_m": [0], "profile": 9})",
                  "two points or more"),
        std::pair(R"({"level": 1, "east_m": [4, 4], "south_m": [5, 5], "profile": 9})",
                  "invalid profile: its points are all one place"),
        std::pair(R"({"level": 1, "east_m": [-1e308, 1e308], "south_m": [5, 5], "profile": 9})",
                  "invalid east_m"),
        std::pair(R"({"level": 1, "points": [1]})", "points"), std::pair("[1, 2]", ""),
        std::pair("", "")}) {
    const HttpAnswer answer = Ask(kPlaneHeights, body);
    const bool is_beyond = std::string(body).find("1e30") != std::string::npos ||
                           std::string(body).find("\"level\": 6") != std::string::npos;
    EXPECT_EQ(answer.status, is_beyond ? 404 : 400) << body << answer.body;
    EXPECT_THAT(answer.body, HasSubstr(absl::StrCat(message))) << body;
  }
  EXPECT_THAT(
      Ask(kPlanetHeights, R"({"level": 1, "latitude_deg": [100, 46], "longitude_deg": [7, 9],
                              "profile": 9})")
          .body,
      HasSubstr("invalid latitude_deg: expected -90 to 90, got 100"));
  EXPECT_THAT(Ask(kPlanetHeights, R"({"level": 1, "latitude_deg": [1, 46], "longitude_deg": [7, 9],
                              "east_m": [1], "profile": 9})")
                  .body,
              HasSubstr("use latitude_deg"));
  EXPECT_EQ(Ask(std::string(kPlaneHeights) + "?format=csv", R"({"level": 1})").body,
            "east_m,south_m,height_m\n");
  EXPECT_THAT(Ask(kPlanetHeights, R"({"level": 1, "latitude_deg": [0, 0], "longitude_deg": [0, 180],
                               "profile": 9})")
                  .body,
              HasSubstr("points 0 and 1 are opposite on the planet"));
  EXPECT_EQ(Ask("/v1/worlds/nowhere/heights", R"({"level": 1})").status, 404);
  EXPECT_EQ(client_.Ask("POST", kPlaneHeights, "Content-Type: text/plain\r\n", "{}").status, 415);
  const HttpAnswer got = client_.Get(kPlaneHeights);
  EXPECT_EQ(got.status, 405);
  EXPECT_EQ(got.Header("allow"), "POST, OPTIONS");
  std::string many = R"({"level": 1, "east_m": [0)";
  for (int n = 0; n < 8192; ++n) many += ",0";
  many += R"(], "south_m": [0)";
  for (int n = 0; n < 8192; ++n) many += ",0";
  const HttpAnswer too_many = Ask(kPlaneHeights, many + "]}");
  EXPECT_EQ(too_many.status, 400);
  EXPECT_THAT(too_many.body, HasSubstr("8192"));
}

}  // namespace
}  // namespace thalweg::service
