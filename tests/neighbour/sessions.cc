// Sessions that ask for too much and read nothing.
#include <cmath>

#include "tests/neighbour/neighbour.h"

namespace thalweg::neighbour {
namespace {

// The server's default limit for an address allows this many.
constexpr int kSessionsPerConnection = 60;
// How many keys a message may have, and how many messages name all tiles that a session may want.
constexpr int kMaxKeys = 4'096;
constexpr int kMaxMessages = 16;

using Stream = grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>;

// Opens a session, calls `talk` to write to it, and then cancels it.
template <typename Talk>
void InSession(Connection& connection, const std::stop_token& stop, const Talk& talk) {
  Connection::Call call(stop);
  const auto stream = connection.stub().Session(call.get());
  v1::SessionRequest open;
  open.mutable_open()->set_world(connection.world());
  if (stream->Write(open)) talk(*stream);
  call.get()->TryCancel();
  stream->Finish();
}

v1::SessionRequest WantOf(std::int64_t x, std::int64_t y) {
  v1::SessionRequest want;
  for (int n = 0; n < kMaxKeys; ++n) *want.mutable_want()->add_keys() = KeyOf(0, x, y + n);
  return want;
}

// Wants as many tiles as a session may want.
bool WantAll(Stream& stream, std::int64_t x) {
  for (int n = 0; n < kMaxMessages; ++n) {
    if (!stream.Write(WantOf(x, n * kMaxKeys))) return false;
  }
  return true;
}

// The server answers each wrong key, but no answer is read.
void WantWrongKeys(const Place&, Connection& connection, std::uint64_t,
                   const std::stop_token& stop) {
  v1::SessionRequest want;
  for (int n = 0; n < kMaxKeys; ++n) want.mutable_want()->add_keys()->set_face(1);
  InSession(connection, stop, [&](Stream& stream) {
    while (stream.Write(want)) continue;
  });
}

// Since there is no credit, the server begins none of these tiles.
void WantAndCancel(const Place&, Connection& connection, std::uint64_t round,
                   const std::stop_token& stop) {
  v1::SessionRequest cancel;
  cancel.mutable_cancel()->set_all(true);
  InSession(connection, stop, [&](Stream& stream) {
    auto x = static_cast<std::int64_t>(round % (1U << 20));
    while (WantAll(stream, x) && stream.Write(cancel)) ++x;
  });
}

// Wants all that it may, and never cancels.
void WantAndStay(const Place&, Connection& connection, std::uint64_t round,
                 const std::stop_token& stop) {
  InSession(connection, stop, [&](Stream& stream) {
    WantAll(stream, static_cast<std::int64_t>(round >> 32));
    v1::SessionResponse response;
    while (stream.Read(&response)) continue;
  });
}

// Each view is a hundred bytes, but needs a selection of thousands of tiles.
void FloodViews(const Place&, Connection& connection, std::uint64_t round,
                const std::stop_token& stop) {
  InSession(connection, stop, [&](Stream& stream) {
    v1::SessionRequest request;
    v1::View& view = *request.mutable_view();
    view.mutable_direction()->set_south(-1);
    view.mutable_direction()->set_up(-0.3);
    view.mutable_velocity_m_s()->set_east(100);
    view.set_vertical_fov_deg(90);
    view.set_aspect(2);
    view.set_viewport_height_px(4'000);
    view.set_tolerated_error_px(1);
    view.set_range_m(1e6);
    view.set_lookahead_s(60);
    std::uint64_t id = 0;
    do {
      view.set_id(++id);
      const double way = static_cast<double>(round % 1'000) + static_cast<double>(id);
      view.mutable_position_m()->set_east(1e4 * std::fmod(way, 997));
      view.mutable_position_m()->set_up(100);
    } while (stream.Write(request));
  });
}

}  // namespace

std::vector<Neighbour> HostileSessions() {
  return {{"wrong-keys", kSessionsPerConnection, WantWrongKeys},
          {"want-and-cancel", kSessionsPerConnection, WantAndCancel},
          {"want-and-stay", kSessionsPerConnection, WantAndStay},
          {"views", 4, FloodViews}};
}

}  // namespace thalweg::neighbour
