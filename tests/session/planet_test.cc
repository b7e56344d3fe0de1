// Sessions of a planet. Nothing is computed: the tiles under way show which ones were chosen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/field/planet_world.h"
#include "tests/session/sample_view.h"
#include "tests/session/session_fixture.h"

namespace thalweg::session {
namespace {

using field::kPlanetRadiusM;
using testing::HasSubstr;
using testing::SizeIs;

// A camera over latitude and longitude 0 that looks down.
v1::SessionRequest SpaceViewOf(std::uint64_t id, double height_m) {
  v1::View view = SampleView(id);
  view.clear_position_m();
  view.clear_direction();
  view.mutable_space_position_m()->set_x(kPlanetRadiusM + height_m);
  view.mutable_space_direction()->set_x(-1);
  v1::SessionRequest request;
  *request.mutable_view() = view;
  return request;
}

class PlanetSessionTest : public SessionFixture {
 protected:
  PlanetSessionTest() : SessionFixture(field::PlanetWorld()) { device_->Close(); }
};

TEST_F(PlanetSessionTest, SendsTheRadius) {
  auto session = std::make_shared<Session>(context_, [] {});
  v1::SessionRequest request;
  request.mutable_open()->set_world(world_->name());
  ASSERT_TRUE(Send(*session, request).ok());
  const auto responses = Take(*session);
  ASSERT_THAT(responses, SizeIs(1));
  EXPECT_EQ(responses[0].opened().radius_m(), kPlanetRadiusM);
  EXPECT_NEAR(responses[0].opened().cell_size_m(), 39'091, 1);
  session->Close();
}

TEST_F(PlanetSessionTest, AViewNeedsAllFacesAndTheTilesBelowIt) {
  const auto session = Open();
  ASSERT_TRUE(Send(*session, CreditOf(100)).ok());
  ASSERT_TRUE(Send(*session, SpaceViewOf(1, 1'000)).ok());
  timer_.RunAll();
  EXPECT_GT(session->load().selected, 6 + 4 * 8);
  // The facts of these six must be known before finer levels are asked for.
  EXPECT_EQ(session->load().pending, 6);
  session->Close();
}

TEST_F(PlanetSessionTest, OnlyTilesBeyondAFaceAreRefused) {
  const auto session = Open();
  ASSERT_TRUE(Send(*session, CreditOf(100)).ok());
  ASSERT_TRUE(Send(*session, WantOf({{.face = 6}, {.face = 5, .level = 3, .x = 8}})).ok());
  const auto responses = Take(*session);
  ASSERT_THAT(responses, SizeIs(2));
  EXPECT_THAT(std::string(responses[0].failed().message()),
              HasSubstr("invalid tile face: expected 0 to 5"));
  EXPECT_THAT(std::string(responses[1].failed().message()), HasSubstr("0 to 7"));
  ASSERT_TRUE(Send(*session, WantOf({{.face = 5, .level = 3, .x = 7}})).ok());
  EXPECT_EQ(session->load().pending, 1);
  session->Close();
}

TEST_F(PlanetSessionTest, AViewOfAPlaneIsRefused) {
  const auto session = Open();
  const absl::Status status = Send(*session, ViewOf(1));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "view.position_m is given, but the world is a planet");
  v1::SessionRequest nowhere = SpaceViewOf(1, 1'000);
  nowhere.mutable_view()->clear_space_position_m();
  EXPECT_EQ(Send(*session, nowhere).message(),
            "view.space_position_m is missing: expected a point in space, since the world is a "
            "planet");
  v1::SessionRequest blind = SpaceViewOf(1, 1'000);
  blind.mutable_view()->clear_space_direction();
  EXPECT_THAT(std::string(Send(*session, blind).message()), HasSubstr("length of direction"));
  session->Close();
}

class PlaneSessionTest : public SessionFixture {};

TEST_F(PlaneSessionTest, AViewOfAPlanetIsRefused) {
  const auto session = Open();
  const absl::Status status = Send(*session, SpaceViewOf(1, 1'000));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "view.space_position_m is given, but the world is a plane");
  session->Close();
}

}  // namespace
}  // namespace thalweg::session
