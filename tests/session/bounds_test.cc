// Whatever a client sends, in whatever order, and whether it reads or not: the data of its session
// has limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/geometry/tile_tree.h"
#include "proto/wire/status_details.h"
#include "tests/session/heap.h"
#include "tests/session/session_fixture.h"

namespace thalweg::session {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using wire::TileKey;

// A split may force splits of 3 x 3 tiles of the next coarser level, with four children each. The
// rest are tiles of level 0 within the range.
constexpr std::size_t kMaxSelected = 4 * 9 * lod::kMaxSplits + 121;
// A window of notes can come at once while the last tiles are asked for. There are also the notes
// that the session is open and that a view is settled.
constexpr std::size_t kMaxNotesBeyond = kSessionWindowTiles + 2;

std::vector<std::string> BoundFaults(const SessionLoad& load) {
  std::vector<std::string> faults;
  const auto check = [&faults](const char* what, std::size_t got, std::size_t max) {
    if (got > max) faults.push_back(absl::StrCat(what, ": ", got, ", expected at most ", max));
  };
  check("wanted and refused", load.wanted + load.refused, kMaxWants);
  check("queued", load.queued, load.wanted);
  check("sent_set", load.sent_set, kMaxSentTiles);
  check("failed", load.failed, kMaxFailedTiles);
  check("notes", load.notes, kMaxNotes + kMaxNotesBeyond);
  check("pending", load.pending, kSessionWindowTiles);
  check("unwanted", load.unwanted, 0);
  check("selected", load.selected, kMaxSelected);
  check("ahead", load.ahead, kMaxTilesAhead);
  return faults;
}

// Raises each number of `most` to that of a session's load.
void Raise(SessionLoad& most, const SessionLoad& load) {
  most.wanted = std::max(most.wanted, load.wanted);
  most.refused = std::max(most.refused, load.refused);
  most.sent_set = std::max(most.sent_set, load.sent_set);
  most.failed = std::max(most.failed, load.failed);
  most.notes = std::max(most.notes, load.notes);
  most.pending = std::max(most.pending, load.pending);
  most.selected = std::max(most.selected, load.selected);
}

class BoundsTest : public SessionFixture {
 protected:
  using Random = std::mt19937_64;

  static std::size_t Below(Random& random, std::size_t end) { return random() % end; }

  // Most messages name a few tiles, some as many as they may.
  static std::size_t Count(Random& random) {
    return Below(random, 3) == 0 ? kMaxKeysPerMessage : Below(random, 40);
  }

  static std::vector<TileKey> Keys(Random& random) {
    std::vector<TileKey> keys(Count(random));
    const bool invalid = Below(random, 4) == 0;
    const auto first = static_cast<std::int64_t>(Below(random, 200'000));
    for (std::size_t n = 0; n < keys.size(); ++n) {
      keys[n] = invalid ? kNoTile : TileKey{.x = first + static_cast<std::int64_t>(n)};
    }
    return keys;
  }

  v1::SessionRequest Message(Random& random, std::uint64_t id) {
    v1::SessionRequest request;
    switch (Below(random, 8)) {
      case 0:
      case 1:
        return WantOf(Keys(random), static_cast<v1::Priority>(1 + Below(random, 3)));
      case 2:
        for (const TileKey& key : Keys(random)) {
          *request.mutable_cancel()->add_keys() = tile::ToProto(key);
        }
        request.mutable_cancel()->set_all(Below(random, 8) == 0);
        return request;
      case 3:
        return HaveOf(Keys(random), static_cast<std::uint32_t>(random()));
      case 4:
        request.mutable_drop();
        for (const TileKey& key : Keys(random)) {
          *request.mutable_drop()->add_keys() = tile::ToProto(key);
        }
        return request;
      case 5:
        request = ViewOf(id, static_cast<double>(Below(random, 1'000'000)));
        request.mutable_view()->mutable_velocity_m_s()->set_east(500);
        request.mutable_view()->set_lookahead_s(20);
        return request;
      default:
        return CreditOf(static_cast<std::uint32_t>(Below(random, 200)));
    }
  }

  // Sends random messages to a session and checks its limits after each of them. Returns when the
  // session ends or all messages are sent.
  void Converse(std::uint64_t seed, Session& session, SessionLoad& most) {
    Random random(seed);
    for (std::uint64_t n = 1; n <= 400; ++n) {
      const absl::Status status = Send(session, Message(random, n));
      Raise(most, session.load());
      ASSERT_THAT(BoundFaults(session.load()), IsEmpty()) << "seed " << seed << ", message " << n;
      if (!status.ok()) {
        EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
        return;
      }
      if (Below(random, 3) == 0) timer_.RunAll();
      ASSERT_THAT(BoundFaults(session.load()), IsEmpty()) << "seed " << seed << ", plan " << n;
      // The client reads some of the responses.
      for (std::size_t reads = Below(random, 4) == 0 ? Below(random, 20'000) : 0; reads > 0;
           --reads) {
        const auto turn = session.Next();
        if (!turn.ok() || !turn->response) break;
        session.Pump();
        ASSERT_THAT(BoundFaults(session.load()), IsEmpty()) << "seed " << seed << ", read";
      }
      // If the session takes no more messages, the client must first read.
      while (!session.AcceptsMore()) {
        ASSERT_TRUE(session.Next()->response);
        session.Pump();
        Raise(most, session.load());
      }
      now_ += std::chrono::milliseconds(Below(random, 100));
    }
  }
};

TEST_F(BoundsTest, ASessionStaysWithinItsBounds) {
  SessionLoad most;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto session = seed % 2 == 0 ? OpenWithoutBudget() : Open();
    Converse(seed, *session, most);
    session->Close();
  }
  // The messages were so many that they would have exceeded limits that are not kept.
  EXPECT_GT(most.wanted, kMaxWants / 2);
  EXPECT_GT(most.refused, kMaxNotes);
  EXPECT_GE(most.sent_set, kMaxSentTiles / 2);
  EXPECT_GT(most.failed, 1'000U);
  EXPECT_GE(most.notes, kMaxNotes / 2);
  EXPECT_EQ(most.pending, kSessionWindowTiles);
  EXPECT_GT(most.selected, 0U);
}

// The twin: every limit is checked.
TEST_F(BoundsTest, OneTooManyOfAnythingIsNoticed) {
  EXPECT_THAT(BoundFaults({}), IsEmpty());
  for (const SessionLoad& load : std::vector<SessionLoad>{
           {.wanted = kMaxWants + 1},
           {.wanted = kMaxWants, .refused = 1},
           {.wanted = 1, .queued = 2},
           {.sent_set = kMaxSentTiles + 1},
           {.failed = kMaxFailedTiles + 1},
           {.notes = kMaxNotes + kMaxNotesBeyond + 1},
           {.pending = kSessionWindowTiles + 1},
           {.unwanted = 1},
           {.selected = kMaxSelected + 1},
           {.ahead = kMaxTilesAhead + 1},
       }) {
    EXPECT_THAT(BoundFaults(load), SizeIs(1));
  }
}

TEST_F(BoundsTest, AMessageWithTooManyTilesIsRefused) {
  std::vector<TileKey> keys(kMaxKeysPerMessage + 1);
  v1::SessionRequest cancel;
  v1::SessionRequest drop;
  for (const TileKey& key : keys) {
    *cancel.mutable_cancel()->add_keys() = tile::ToProto(key);
    *drop.mutable_drop()->add_keys() = tile::ToProto(key);
  }
  for (const auto& [request, field] :
       std::vector<std::pair<v1::SessionRequest, std::string>>{{WantOf(keys), "want.keys"},
                                                               {cancel, "cancel.keys"},
                                                               {drop, "drop.keys"},
                                                               {HaveOf(keys), "have.tiles"}}) {
    const auto session = Open();
    const absl::Status status = Send(*session, request);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("invalid " + field + ": expected max 4096, got 4097"));
    session->Close();
  }
}

// If a client names tiles that do not exist, it gets one answer for each, when it reads.
TEST_F(BoundsTest, AnswersForRefusedTilesAreSentAsTheyAreRead) {
  const auto session = Open();
  ASSERT_TRUE(Send(*session, WantsOf(std::vector<TileKey>(kMaxWants, kNoTile))).ok());
  EXPECT_FALSE(session->AcceptsMore());
  EXPECT_LE(session->load().notes, 1U);
  EXPECT_EQ(session->Receive(WantOf({kNoTile})).code(), absl::StatusCode::kResourceExhausted);
  const auto responses = Take(*session);
  EXPECT_THAT(responses, SizeIs(kMaxWants));
  for (const v1::SessionResponse& response : responses) ASSERT_TRUE(response.has_failed());
  EXPECT_TRUE(session->AcceptsMore());
  session->Close();
}

// For tiles that a client already has, it gets short answers. There may be many of them.
TEST_F(BoundsTest, AnswersWaitUntilTheyAreRead) {
  const auto session = Open();
  const auto keys = RowOf(20'000);
  ASSERT_TRUE(Send(*session, HavesOf(keys)).ok());
  ASSERT_TRUE(Send(*session, CreditOf(1)).ok());
  ASSERT_TRUE(Send(*session, WantsOf(keys)).ok());
  EXPECT_EQ(session->load().notes, kMaxNotes);
  EXPECT_THAT(Take(*session), SizeIs(keys.size()));
  session->Close();
}

class RoomTest : public BoundsTest {
 protected:
  static constexpr std::size_t kEntries = 40'000;

  // Opens a session of this caller.
  std::shared_ptr<Session> OpenOf(std::uint64_t caller) {
    SessionContext context = context_;
    context.room = &room_;
    context.caller = caller;
    return OpenWith(context);
  }
  // Wants as many tiles as the session accepts, and returns how many that were.
  static std::size_t Fill(Session& session) {
    absl::Status status;
    while (status.ok() && session.load().wanted < kMaxWants) {
      status = Send(session,
                    WantOf(RowOf(1'000, static_cast<std::int64_t>(1'000 * session.load().wanted))));
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("request_memory_mb of the server is full for this caller"));
    EXPECT_TRUE(wire::RetryDelayOf(status).has_value());
    return session.load().wanted;
  }

  sharing::Room room_{kEntries * kEntryBytes};
};

TEST_F(RoomTest, SessionsOfOneCallerHaveHalfOfTheRoom) {
  const auto first = OpenOf(1);
  const auto second = OpenOf(1);
  const std::size_t held = Fill(*first) + Fill(*second);
  EXPECT_LE(held, kEntries / 2);
  EXPECT_GT(held, kEntries / 2 - 3'000);
  const auto other = OpenOf(2);
  EXPECT_GT(Fill(*other), kEntries / 4 - 3'000);
  for (const auto& session : {first, second, other}) session->Close();
}

TEST_F(RoomTest, ReleasedEntriesLeaveRoom) {
  const auto first = OpenOf(1);
  Fill(*first);
  ASSERT_TRUE(Send(*first, CancelOfAll()).ok());
  const auto second = OpenOf(1);
  const std::size_t held = Fill(*second);
  EXPECT_GT(held, kEntries / 2 - 3'000);
  second->Close();
  const auto third = OpenOf(1);
  EXPECT_EQ(Fill(*third), held);
  for (const auto& session : {first, third}) session->Close();
}

// If there is no room for the tiles that a client has, the session goes on without them.
TEST_F(RoomTest, KeptTilesWithoutRoomAreForgotten) {
  const auto session = OpenOf(1);
  ASSERT_TRUE(Send(*session, HavesOf(RowOf(60'000))).ok());
  const std::size_t sent_set = session->load().sent_set;
  EXPECT_LE(sent_set, kEntries / 2);
  EXPECT_GT(sent_set, kEntries / 2 - 5'000);
  session->Close();
}

// The memory of an entry is within kEntryBytes, for every kind of message that makes entries.
TEST_F(RoomTest, EntriesTakeNoMoreMemoryThanStated) {
  for (const auto& requests : {WantsOf(RowOf(kMaxWants)), HavesOf(RowOf(kMaxWants)),
                               WantsOf(std::vector<TileKey>(kMaxWants, kNoTile))}) {
    const auto session = Open();
    const std::size_t before = LiveBytes();
    ASSERT_TRUE(Send(*session, requests).ok());
    EXPECT_LE(LiveBytes() - before, kMaxWants * kEntryBytes);
    session->Close();
  }
}

TEST(HeapTest, CountsLiveMemory) {
  const std::size_t before = LiveBytes();
  // The compiler may remove an unused new-expression, but not this call.
  void* const megabyte = ::operator new(1 << 20);
  EXPECT_GE(LiveBytes(), before + (1 << 20));
  ::operator delete(megabyte);
  EXPECT_LT(LiveBytes(), before + 1'000);
}

class MemoryTest : public BoundsTest {};

TEST_F(MemoryTest, InvalidTilesTakeOnlyTheirKeys) {
  constexpr std::size_t kSessions = 60;
  const auto requests = WantsOf(std::vector<TileKey>(kMaxWants, kNoTile));
  std::vector<std::shared_ptr<Session>> sessions;
  const std::size_t before = LiveBytes();
  for (std::size_t n = 0; n < kSessions; ++n) {
    sessions.push_back(Open());
    ASSERT_TRUE(Send(*sessions.back(), requests).ok());
  }
  EXPECT_LT((LiveBytes() - before) / kSessions, std::size_t{2} << 20);
  for (const auto& session : sessions) session->Close();
}

TEST_F(MemoryTest, CancelledWantsLeaveNoMemory) {
  const auto session = Open();
  const auto wants = WantsOf(RowOf(kMaxWants));
  const auto round = [&] {
    ASSERT_TRUE(Send(*session, wants).ok());
    ASSERT_TRUE(Send(*session, CancelOfAll()).ok());
  };
  round();
  const std::size_t before = LiveBytes();
  for (int n = 0; n < 20; ++n) round();
  EXPECT_LT(LiveBytes(), before + 100'000);
  session->Close();
}

TEST_F(MemoryTest, FailedTilesAreForgottenInTime) {
  const auto session = OpenWithoutBudget();
  ASSERT_TRUE(Send(*session, CreditOf(1'000)).ok());
  const auto round = [&](int n) {
    ASSERT_TRUE(Send(*session, WantsOf(RowOf(50'000, 50'000 * n))).ok());
    ASSERT_THAT(Take(*session), SizeIs(50'000));
  };
  round(0);
  const std::size_t before = LiveBytes();
  for (int n = 1; n < 10; ++n) round(n);
  EXPECT_LT(LiveBytes(), before + 100'000);
  session->Close();
}

// The README says how much memory a session may take.
TEST_F(MemoryTest, AFullSessionStaysWithinItsBound) {
  device_->Close();
  const std::size_t before = LiveBytes();
  const auto session = Open();
  // Rough ground down to the finest level, around the camera and far away.
  std::vector<TileKey> keys;
  for (std::int64_t y = -4; y < 4; ++y) {
    for (std::int64_t x = -4; x < 4; ++x) keys.push_back({.x = x, .y = y});
  }
  for (std::size_t n = 0; keys.size() < 60'000; ++n) {
    if (keys[n].level + 1 == world_->levels()) break;
    for (const TileKey& child : lod::ChildrenOf(keys[n])) keys.push_back(child);
  }
  ASSERT_TRUE(Send(*session, HavesOf(keys, 1U << 31)).ok());
  for (std::int64_t at = 0; session->load().sent_set < kMaxSentTiles;) {
    const auto left = static_cast<std::int64_t>(kMaxSentTiles - session->load().sent_set);
    const std::int64_t count = std::min(std::int64_t{60'000}, left);
    ASSERT_TRUE(Send(*session, HavesOf(RowOf(count, 1'000'000 + at))).ok());
    at += count;
  }
  v1::SessionRequest view = ViewOf(1);
  view.mutable_view()->set_viewport_height_px(65'536);
  view.mutable_view()->set_tolerated_error_px(0.1);
  view.mutable_view()->set_range_m(1e9);
  view.mutable_view()->mutable_velocity_m_s()->set_east(10'000);
  view.mutable_view()->set_lookahead_s(60);
  ASSERT_TRUE(Send(*session, view).ok());
  ASSERT_TRUE(Send(*session, CreditOf(1)).ok());
  timer_.RunAll();
  const auto wants = static_cast<std::int64_t>(kMaxWants - session->load().wanted);
  ASSERT_TRUE(Send(*session, WantsOf(RowOf(wants, 5'000'000), v1::PRIORITY_BAKE)).ok());
  EXPECT_EQ(session->load().sent_set, kMaxSentTiles);
  EXPECT_EQ(session->load().wanted, kMaxWants);
  EXPECT_GE(session->load().selected, 4 * lod::kMaxSplits);
  const std::size_t bytes = LiveBytes() - before;
  RecordProperty("bytes", static_cast<int>(bytes));
  EXPECT_LT(bytes, std::size_t{32} << 20);
  session->Close();
}

}  // namespace
}  // namespace thalweg::session
