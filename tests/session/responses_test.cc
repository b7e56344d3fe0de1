#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_details.h"
#include "server/session/session.h"
#include "thalweg/v1/session.pb.h"

namespace thalweg::session {
namespace {

constexpr wire::TileKey kKey{.face = 3, .level = 2, .x = 7, .y = -1};

v1::SessionResponse Parsed(const Outgoing& outgoing) {
  v1::SessionResponse response;
  const std::string tile = outgoing.tile == nullptr ? "" : *outgoing.tile;
  EXPECT_TRUE(response.ParseFromString(absl::StrCat(outgoing.head, tile)));
  return response;
}

// The head contains the tile's length as a varint, whose size depends on the length.
TEST(ResponsesTest, ATileOfAnySizeIsReadBack) {
  for (const std::size_t size : {1U, 100U, 127U, 128U, 16'383U, 16'384U, 3'000'000U}) {
    v1::Tile tile;
    tile.set_world_id(std::string(size, 'w'));
    const auto bytes = std::make_shared<const std::string>(tile.SerializeAsString());
    const v1::SessionResponse response = Parsed(TileResponse(bytes));
    ASSERT_TRUE(response.has_tile());
    EXPECT_EQ(response.tile().SerializeAsString(), *bytes);
  }
}

TEST(ResponsesTest, AFailureSaysWhyAndWhenToRetry) {
  absl::Status status = absl::ResourceExhaustedError("no budget left");
  const v1::SessionResponse final = Parsed(FailedResponse(kKey, status));
  EXPECT_EQ(final.failed().key().y(), -1);
  EXPECT_EQ(final.failed().code(), static_cast<std::uint32_t>(status.code()));
  EXPECT_EQ(final.failed().message(), "no budget left");
  EXPECT_EQ(final.failed().retry_after_ms(), 0U);
  wire::SetRetryDelay(status, std::chrono::milliseconds(1'500));
  EXPECT_EQ(Parsed(FailedResponse(kKey, status)).failed().retry_after_ms(), 1'500U);
}

TEST(ResponsesTest, NotesAreReadBack) {
  EXPECT_EQ(Parsed(UnchangedResponse(kKey)).unchanged().key().face(), 3U);
  const v1::SessionResponse settled = Parsed(SettledResponse(9, 40, 2));
  EXPECT_EQ(settled.settled().view_id(), 9U);
  EXPECT_EQ(settled.settled().tiles(), 40U);
  EXPECT_EQ(settled.settled().failed(), 2U);
}

}  // namespace
}  // namespace thalweg::session
