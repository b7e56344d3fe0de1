#include "proto/geometry/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace thalweg::lod {
namespace {

using testing::HasSubstr;

TEST(ViewTest, TheDefaultIsValid) { EXPECT_TRUE(CheckView({}).ok()); }

TEST(ViewTest, NamesTheFieldOutOfRange) {
  View view;
  view.vertical_fov_deg = 180;
  EXPECT_EQ(CheckView(view).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(CheckView(view).message()),
              HasSubstr("invalid view.vertical_fov_deg: expected 1 to 170, got 180"));
}

TEST(ViewTest, RefusesNumbersThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  View view;
  view.position.y = nan;
  EXPECT_FALSE(CheckView(view).ok());
  view = {};
  view.tolerated_error_px = nan;
  EXPECT_FALSE(CheckView(view).ok());
  view = {};
  view.velocity.z = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(CheckView(view).ok());
}

TEST(ViewTest, RefusesADirectionOfZero) {
  View view;
  view.direction = {0, 0, 0};
  EXPECT_FALSE(CheckView(view).ok());
}

TEST(ViewTest, PixelsFollowTheAngle) {
  View view;
  view.vertical_fov_deg = 90;
  view.viewport_height_px = 1000;
  EXPECT_NEAR(PixelsPerRadian(view), 500, 1e-9);
}

TEST(ViewTest, ContinuesWithItsVelocity) {
  View view;
  view.position = {1, 2, 3};
  view.velocity = {10, 0, -1};
  const View ahead = Ahead(view, 2);
  EXPECT_EQ(ahead.position.x, 21);
  EXPECT_EQ(ahead.position.y, 2);
  EXPECT_EQ(ahead.position.z, 1);
}

}  // namespace
}  // namespace thalweg::lod
