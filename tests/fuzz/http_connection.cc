// An HTTP connection. The first byte says how the peer behaves, the second how its bytes are cut,
// and the rest is sent. Each request that the server accepts must also be one for a strict reader
// (http_oracle). The server answers each once, in order and well-formed. In the end the connection
// is closed, whatever came.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/connection_set.h"
#include "server/http/dispatcher.h"
#include "server/http/handlers.h"
#include "server/http/stream_connection.h"
#include "tests/field/test_world.h"
#include "tests/fuzz/http_oracle.h"
#include "tests/fuzz/target.h"
#include "tests/http/memory_transport.h"

namespace {

using namespace thalweg;  // NOLINT(google-build-using-namespace): a program of one file.

[[noreturn]] void Fail(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

struct Behaviour {
  bool ends = false;          // half-closes after all bytes are sent
  bool takes_late = false;    // reads no answers before that
  bool drains = false;        // the server drains after half of the bytes
  bool answers_late = false;  // POSTs are answered after more bytes have come
  bool goes = false;          // never reads an answer
  bool shakes_hands = false;  // the handshake never ends
};

Behaviour BehaviourOf(std::uint8_t bits) {
  return {.ends = (bits & 1) != 0,
          .takes_late = (bits & 2) != 0,
          .drains = (bits & 4) != 0,
          .answers_late = (bits & 8) != 0,
          .goes = (bits & 0x30) == 0x30,
          .shakes_hands = (bits & 0xC0) == 0xC0};
}

// A server without tiles, since other threads make them.
class Server {
 public:
  Server() {
    shared_.options.limits.max_header_bytes = 600;
    shared_.options.limits.max_body_bytes = 300;
    shared_.dispatch = [this](const http::ExchangePointer& exchange) { Take(exchange); };
    site_.engine.worlds = worlds_.get();
    site_.engine.access = everyone_.get();
    site_.options = &shared_.options;
    site_.coded = &coded_;
    site_.metrics = [] { return std::string("counted 1\n"); };
  }

  void Run(const Behaviour& behaviour, std::uint8_t seed, std::string_view bytes) {
    behaviour_ = behaviour;
    expected_ = fuzz::RequestsIn(bytes);
    heads_.clear();
    steps_ = 0;
    now_ = {};
    auto wire = std::make_shared<http::Wire>(context_);
    wire->TakeAll(!behaviour.takes_late && !behaviour.goes);
    std::make_shared<http::StreamConnection<http::MemoryTransport>>(
        set_, shared_, http::MemoryTransport(wire, behaviour.shakes_hands),
        http::Connection::Peer{})
        ->Start();
    Send(*wire, seed, bytes);
    if (behaviour.ends) wire->End();
    Poll();
    if (!behaviour.goes) wire->TakeAll(true);
    AnswerLate();
    // All timeouts end.
    for (int k = 0; k < 4; ++k) {
      now_ += std::chrono::hours(1);
      set_.Sweep();
      AnswerLate();
    }
    if (!wire->closed() || counters_.open != 0) Fail("the connection is still there");
    Check(*wire);
  }

 private:
  void Take(const http::ExchangePointer& exchange) {
    const http::Message& message = exchange->message();
    const std::size_t number = heads_.size();
    if (number >= expected_.size()) Fail("a request that nobody else sees");
    const fuzz::OracleRequest& expected = expected_[number];
    if (message.method_string() != expected.method || message.target() != expected.target ||
        message.body() != expected.body) {
      Fail("a request that others see in another way");
    }
    heads_.push_back(exchange->is_head());
    // Other threads make tiles and worlds. Here they get only a dummy answer.
    const auto target = http::ParseTarget({message.target().data(), message.target().size()});
    const absl::StatusOr<http::Match> match =
        target.ok() ? http::RoutesOf(*target) : absl::StatusOr<http::Match>(target.status());
    const bool changes = expected.method == "POST" || expected.method == "DELETE";
    if (!changes && !(match.ok() && IsMadeElsewhere(*match))) {
      return http::DispatchRequest(site_, gate_, exchange);
    }
    exchange->Begin(site_.engine.listeners, calls::Method::kHttpOther);
    if (!behaviour_.answers_late) return Answer(*exchange);
    exchange->OnCancel([weak = std::weak_ptr(exchange)] {
      if (const auto held = weak.lock()) held->Fail(absl::CancelledError("cancelled"));
    });
    late_ = exchange;
  }

  // Whether another thread makes the answer: for tiles, and for reseeded worlds.
  static bool IsMadeElsewhere(const http::Match& match) {
    const auto handle = match.routes.front().handle;
    return handle == http::HandleGetTile || handle == http::HandleGetMapTile ||
           match.values.world.find('@') != std::string::npos;
  }

  static void Answer(http::Exchange& exchange) {
    exchange.Answer({.content_type = "text/plain",
                     .headers = "",
                     .body = http::BodyOf(exchange.message().body() + '\n')});
  }

  void AnswerLate() {
    while (const auto exchange = std::exchange(late_, nullptr)) {
      if (!exchange->is_cancelled()) Answer(*exchange);
      Poll();
    }
    Poll();
  }

  void Send(http::Wire& wire, std::uint8_t seed, std::string_view bytes) {
    // Seed 0 sends all bytes at once. Other seeds send parts of random sizes up to this many bytes.
    std::uint32_t random = seed;
    const std::size_t half = bytes.size() / 2;
    bool drained = false;
    while (!bytes.empty()) {
      random = random * 1'664'525 + 1'013'904'223;
      const std::size_t part =
          seed == 0 ? bytes.size() : 1 + (random >> 16) % (std::size_t{seed} % 64 + 1);
      wire.Send(bytes.substr(0, part));
      bytes.remove_prefix(std::min(part, bytes.size()));
      Poll();
      if (behaviour_.answers_late && random % 4 == 0) AnswerLate();
      if (behaviour_.drains && !drained && bytes.size() < half) {
        drained = true;
        set_.Drain();
      }
    }
  }

  // Each byte causes at most a few steps.
  void Poll() {
    constexpr int kMaxSteps = 200'000;
    context_.restart();
    while (context_.poll_one() > 0) {
      if (++steps_ > kMaxSteps) Fail("it goes on for ever");
    }
  }

  void Check(const http::Wire& wire) const {
    const fuzz::OracleAnswers answers = fuzz::AnswersIn(wire.received(), heads_);
    // A peer that never reads gets nothing. All others get whole answers.
    if (answers.is_cut) Fail("an answer is not whole");
    const std::size_t count = answers.final_codes.size();
    if (count > heads_.size() + 1) Fail("more answers than requests");
    // There may be one answer without a request: to invalid or late input.
    if (count == heads_.size() + 1) {
      constexpr int kOwn[] = {400, 408, 413, 431, 501, 505};
      const int last = answers.final_codes.back();
      if (std::find(std::begin(kOwn), std::end(kOwn), last) == std::end(kOwn)) {
        Fail("an answer to no request");
      }
    }
    for (const int code : answers.final_codes) {
      if (code >= 500 && code != 501 && code != 503 && code != 504 && code != 505) {
        Fail("the server's own fault");
      }
    }
  }

  const std::unique_ptr<world::WorldLibrary> worlds_ =
      world::WorldLibrary::Of({field::TestWorld()});
  const std::unique_ptr<access::AccessControl> everyone_ = access::AccessControl::OfEveryone();
  http::CodedTexts coded_{std::size_t{1} << 20};
  http::Site site_;
  calls::CallGate gate_;
  http::Connection::Shared shared_;
  http::ConnectionCounters counters_;
  http::Connection::Clock::time_point now_;
  boost::asio::io_context context_{1};
  http::ConnectionSet set_{context_, counters_, [this] { return now_; }};

  // The state of one run.
  Behaviour behaviour_;
  std::vector<fuzz::OracleRequest> expected_;
  std::vector<bool> heads_;
  http::ExchangePointer late_;
  int steps_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server server;
  if (size < 2) return 0;
  server.Run(BehaviourOf(data[0]), data[1], {reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
