// Connections over memory, with a clock that only the test moves.
#include "server/http/connection_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "server/http/stream_connection.h"
#include "tests/http/memory_transport.h"

namespace thalweg::http {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kQuick[] = "GET /quick HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr char kSlow[] = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";

class ConnectionSetTest : public testing::Test {
 protected:
  void TearDown() override {
    set_.Abort();
    Poll();
  }

  using Clock = Connection::Clock;

  // Opens a connection and returns the peer's end; null if the connection is refused.
  std::shared_ptr<Wire> Connect(const std::string& address = "192.0.2.1", bool full = false,
                                bool handshake = false) {
    AddressSlots::Slot slot = slots_.Take(boost::asio::ip::make_address(address));
    // As in the server: a connection that was closed to make room ends before the next one comes.
    if (!set_.MakeRoom(slot, full)) return nullptr;
    auto wire = std::make_shared<Wire>(context_);
    std::make_shared<StreamConnection<MemoryTransport>>(
        set_, shared_, MemoryTransport(wire, handshake), Connection::Peer{{}, std::move(slot)})
        ->Start();
    Pass(seconds(1));
    return wire;
  }
  void Pass(std::chrono::milliseconds time) {
    Poll();
    now_ += time;
    set_.Sweep();
    Poll();
  }
  void Poll() {
    context_.restart();
    context_.poll();
  }
  void Send(Wire& wire, const std::string& text) {
    wire.Send(text);
    Poll();
  }
  std::int64_t open() const { return counters_.open; }

  Connection::Shared shared_{
      .options = HttpOptions(), .dispatch = [this](const std::shared_ptr<Exchange>& exchange) {
        exchange->Begin(listeners_, calls::Method::kHttpOther);
        begun_.emplace_back(exchange->target());
        // Takes all the time that requests have together.
        if (exchange->target() == "/long") now_ += std::chrono::milliseconds(1);
        if (exchange->message().target() == "/slow") {
          exchange->OnCancel([exchange] { exchange->Fail(absl::CancelledError("cancelled")); });
          slow_.push_back(exchange);
          return;
        }
        exchange->Answer({.content_type = "text/plain", .headers = "", .body = BodyOf("ok\n")});
      }};
  const calls::CallListeners listeners_ = {};
  std::vector<std::shared_ptr<Exchange>> slow_;
  // The targets of requests, in the order in which they were dispatched.
  std::vector<std::string> begun_;
  AddressSlots slots_{3};
  boost::asio::io_context context_;
  ConnectionCounters counters_;
  Clock::time_point now_{seconds(1'000)};
  ConnectionSet set_{context_, counters_, [this] { return now_; }};
};

TEST_F(ConnectionSetTest, TheConnectionThatWaitedLongestMakesRoom) {
  const auto shaking = Connect("192.0.2.1", false, true);
  const auto idle = Connect("192.0.2.2");
  const auto half = Connect("192.0.2.3");
  const auto body = Connect("192.0.2.4");
  const auto working = Connect("192.0.2.5");
  Send(*working, kSlow);
  Send(*body, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
  Send(*half, "GET / HTTP/1.1\r\nHost");
  ASSERT_EQ(open(), 5);
  // They are closed in the order in which they began to wait.
  int newcomers = 0;
  for (const auto& wire : {shaking, idle, half, body}) {
    EXPECT_FALSE(wire->closed());
    EXPECT_NE(Connect("198.51.100." + std::to_string(++newcomers), true), nullptr);
    Poll();
    EXPECT_TRUE(wire->closed());
    EXPECT_EQ(wire->received(), "");
  }
  EXPECT_FALSE(working->closed());
  EXPECT_EQ(counters_.crowded_out, 4U);
}

TEST_F(ConnectionSetTest, BusyConnectionsStay) {
  std::vector<std::shared_ptr<Wire>> all;
  for (int k = 1; k <= 3; ++k) {
    all.push_back(Connect("192.0.2." + std::to_string(k)));
    Send(*all.back(), kSlow);
  }
  EXPECT_EQ(Connect("198.51.100.1", true), nullptr);
  for (const auto& wire : all) EXPECT_FALSE(wire->closed());
  // A connection whose peer reads its answer slowly is at work too.
  all[0]->TakeAll(false);
  slow_[0]->Answer({.content_type = "text/plain", .headers = "", .body = BodyOf("late\n")});
  Poll();
  EXPECT_EQ(Connect("198.51.100.1", true), nullptr);
  all[0]->TakeAll(true);
  Poll();
  EXPECT_NE(Connect("198.51.100.1", true), nullptr);
  EXPECT_TRUE(all[0]->closed());
  EXPECT_THAT(all[0]->received(), HasSubstr("late\n"));
}

// A request waits since its first byte, however slowly the other bytes come.
TEST_F(ConnectionSetTest, SendingSlowlyDoesNotKeepAConnection) {
  const auto dripping = Connect("192.0.2.1");
  const auto idle = Connect("192.0.2.2");
  for (const char c : std::string("GET / HTTP")) {
    Send(*dripping, std::string(1, c));
    now_ += std::chrono::milliseconds(500);
  }
  EXPECT_NE(Connect("198.51.100.1", true), nullptr);
  EXPECT_TRUE(dripping->closed());
  EXPECT_FALSE(idle->closed());
}

TEST_F(ConnectionSetTest, RecentlyAnsweredConnectionsStay) {
  const auto first = Connect("192.0.2.1");
  const auto second = Connect("192.0.2.2");
  Send(*first, kQuick);
  EXPECT_THAT(first->received(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_NE(Connect("198.51.100.1", true), nullptr);
  EXPECT_FALSE(first->closed());
  EXPECT_TRUE(second->closed());
}

TEST_F(ConnectionSetTest, AnAddressMakesRoomOnlyForItself) {
  const auto other = Connect("198.51.100.1");
  std::vector<std::shared_ptr<Wire>> own;
  for (int k = 0; k < 10; ++k) own.push_back(Connect("2001:db8::" + std::to_string(k)));
  // The last three stay.
  EXPECT_EQ(open(), 4);
  for (std::size_t k = 0; k < own.size(); ++k) {
    ASSERT_NE(own[k], nullptr);
    EXPECT_EQ(own[k]->closed(), k < 7) << k;
  }
  EXPECT_EQ(counters_.crowded_out, 7U);
  // When all three are at work, only the new one is closed.
  for (std::size_t k = 7; k < own.size(); ++k) Send(*own[k], kSlow);
  EXPECT_EQ(Connect("2001:db8::77"), nullptr);
  EXPECT_FALSE(other->closed());
  EXPECT_NE(Connect("2001:db8:0:1::77"), nullptr);
  // A connection that has ended leaves a place.
  own.back()->End();
  Poll();
  EXPECT_NE(Connect("2001:db8::77"), nullptr);
}

TEST_F(ConnectionSetTest, LocalConnectionsAreNotCounted) {
  for (int k = 0; k < 20; ++k) EXPECT_NE(Connect("127.0.0.1"), nullptr);
  EXPECT_EQ(open(), 20);
  EXPECT_EQ(counters_.crowded_out, 0U);
}

TEST_F(ConnectionSetTest, TimeoutsEndConnections) {
  const auto shaking = Connect("192.0.2.1", false, true);
  const auto half = Connect("192.0.2.2");
  Send(*half, "GET / HT");
  Pass(seconds(11));
  EXPECT_TRUE(shaking->closed());
  EXPECT_THAT(half->received(), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(half->finished());
  EXPECT_FALSE(half->closed());
  Pass(seconds(3));
  EXPECT_TRUE(half->closed());
  const auto idle = Connect("192.0.2.3");
  const auto slow = Connect("192.0.2.4");
  Send(*slow, kSlow);
  Pass(seconds(61));
  EXPECT_THAT(slow->received(), StartsWith("HTTP/1.1 504 "));
  EXPECT_FALSE(idle->closed());
  Pass(seconds(20));
  EXPECT_TRUE(idle->closed());
}

TEST_F(ConnectionSetTest, ARefusedRequestEndsTheConnection) {
  const auto wire = Connect();
  Send(*wire, std::string(kQuick) +
                  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n" + kQuick);
  const std::string& answers = wire->received();
  EXPECT_THAT(answers, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answers, HasSubstr("ok\nHTTP/1.1 400 Bad Request\r\n"));
  EXPECT_THAT(answers, HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(answers.find("200 OK", 20), std::string::npos);
  EXPECT_TRUE(wire->finished());
}

TEST_F(ConnectionSetTest, HealthDoesNotWaitBehindCallers) {
  std::vector<std::shared_ptr<Wire>> callers;
  for (int k = 0; k < 40; ++k) callers.push_back(Connect("127.0.0.1"));
  const auto probe = Connect("127.0.0.1");
  for (const auto& caller : callers) caller->Send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
  probe->Send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  std::size_t before = 0;
  boost::asio::post(context_, [&] { before = begun_.size(); });
  Poll();
  ASSERT_EQ(begun_.size(), 41U);
  EXPECT_EQ(begun_.front(), "/healthz");
  // What else the thread has to do does not wait either.
  EXPECT_LE(before, 2U);
}

TEST_F(ConnectionSetTest, RequestsAreAnsweredInOrder) {
  std::vector<std::shared_ptr<Wire>> callers;
  std::vector<std::string> sent;
  for (int k = 0; k < 12; ++k) callers.push_back(Connect("127.0.0.1"));
  for (int k = 0; k < 12; ++k) {
    sent.push_back(k % 3 == 0 ? "/long" : "/quick" + std::to_string(k));
    callers[static_cast<std::size_t>(k)]->Send("GET " + sent.back() +
                                               " HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  Poll();
  EXPECT_EQ(begun_, sent);
}

TEST_F(ConnectionSetTest, AWaitingRequestOfAClosedConnectionIsDropped) {
  const auto first = Connect("192.0.2.1");
  const auto second = Connect("192.0.2.2");
  first->Send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
  second->Send(kQuick);
  set_.Abort();
  Poll();
  EXPECT_TRUE(begun_.empty());
  EXPECT_EQ(open(), 0);
}

TEST_F(ConnectionSetTest, DrainsAndAborts) {
  const auto idle = Connect("192.0.2.1");
  const auto slow = Connect("192.0.2.2");
  Send(*slow, kSlow);
  set_.Drain();
  Poll();
  EXPECT_TRUE(idle->closed());
  EXPECT_FALSE(slow->closed());
  slow_[0]->Answer({.content_type = "text/plain", .headers = "", .body = BodyOf("late\n")});
  Poll();
  EXPECT_THAT(slow->received(), HasSubstr("Connection: close\r\n"));
  set_.Abort();
  EXPECT_EQ(open(), 0);
}

TEST_F(ConnectionSetTest, AnswersRunningRequestsBeforeItEnds) {
  const auto idle = Connect("192.0.2.1");
  const auto slow = Connect("192.0.2.2");
  Send(*slow, kSlow);
  slow_[0]->OnCancel([exchange = slow_[0].get()] { exchange->Fail(absl::OkStatus()); });
  set_.End(absl::UnavailableError("the server stops"));
  Poll();
  EXPECT_TRUE(idle->closed());
  EXPECT_THAT(slow->received(), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_THAT(slow->received(), HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(slow->received(), HasSubstr("the server stops"));
  set_.Abort();
  EXPECT_EQ(open(), 0);
}

}  // namespace
}  // namespace thalweg::http
