#include "tests/service/raw_http2.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tests/service/loopback_socket.h"

namespace thalweg::service {
namespace {

// RFC 9113, section 6.
enum FrameType : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kReset = 3,
  kSettings = 4,
  kPing = 6,
  kGoaway = 7,
  kWindowUpdate = 8,
  kContinuation = 9,
};
constexpr std::uint8_t kAck = 1;
constexpr std::uint8_t kEndStream = 1;
constexpr std::uint8_t kEndHeaders = 4;
constexpr std::uint16_t kInitialWindowSize = 4;
constexpr std::size_t kFrameHead = 9;
constexpr std::size_t kMaxFrame = 16'384;

std::string BigEndian(std::uint64_t value, int bytes) {
  std::string text;
  for (int k = bytes - 1; k >= 0; --k) text.push_back(static_cast<char>(value >> (8 * k)));
  return text;
}

std::uint32_t NumberOf(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

// A string in HPACK, without Huffman's code (RFC 7541, 5.2).
std::string Literal(const std::string& text) {
  std::string bytes;
  if (text.size() < 127) {
    bytes.push_back(static_cast<char>(text.size()));
  } else {
    bytes.push_back(127);
    std::size_t rest = text.size() - 127;
    for (; rest >= 128; rest >>= 7) bytes.push_back(static_cast<char>(128 | (rest & 127)));
    bytes.push_back(static_cast<char>(rest));
  }
  return bytes + text;
}

std::string Frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload) {
  return BigEndian(payload.size(), 3) + static_cast<char>(type) + static_cast<char>(flags) +
         BigEndian(stream, 4) + std::string(payload);
}

}  // namespace

RawHttp2::RawHttp2(int port) : socket_(ConnectToLoopback(port)) { EXPECT_GE(socket_, 0); }

RawHttp2::~RawHttp2() { ::close(socket_); }

void RawHttp2::Begin(std::uint32_t window) {
  Write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  WriteFrame(kSettings, 0, 0, BigEndian(kInitialWindowSize, 2) + BigEndian(window, 4));
}

void RawHttp2::Call(std::uint32_t stream, const std::string& path, const Http2Headers& more) {
  Http2Headers headers{{":method", "POST"}, {":scheme", "http"},
                       {":path", path},     {":authority", "localhost"},
                       {"te", "trailers"},  {"content-type", "application/grpc"}};
  headers.insert(headers.end(), more.begin(), more.end());
  std::string block;
  for (const auto& [name, value] : headers) {
    block += '\0' + Literal(name) + Literal(value);
  }
  for (std::size_t at = 0; at < block.size(); at += kMaxFrame) {
    const bool last = at + kMaxFrame >= block.size();
    WriteFrame(at == 0 ? kHeaders : kContinuation, last ? kEndHeaders : 0, stream,
               std::string_view(block).substr(at, kMaxFrame));
  }
  streams_[stream].window = first_window_;
}

void RawHttp2::CallMany(std::uint32_t first, std::uint32_t count, std::string_view block) {
  std::string frames;
  for (std::uint32_t n = 0; n < count; ++n) {
    frames += Frame(kHeaders, kEndHeaders | kEndStream, first + 2 * n, block);
  }
  Write(frames);
}

bool RawHttp2::Send(std::uint32_t stream, std::string_view bytes, bool end) {
  Stream& call = streams_[stream];
  do {
    while (!bytes.empty() && !closed_ && !call.ended && std::min(window_, call.window) <= 0) {
      ReadFrame();
    }
    if (closed_ || call.ended) return false;
    const std::size_t part =
        bytes.empty() ? 0
                      : static_cast<std::size_t>(
                            std::min({static_cast<std::int64_t>(bytes.size()),
                                      static_cast<std::int64_t>(kMaxFrame), window_, call.window}));
    window_ -= static_cast<std::int64_t>(part);
    call.window -= static_cast<std::int64_t>(part);
    const bool last = end && part == bytes.size();
    WriteFrame(kData, last ? kEndStream : 0, stream, bytes.substr(0, part));
    bytes.remove_prefix(part);
  } while (!bytes.empty());
  return true;
}

void RawHttp2::Ping() { WriteFrame(kPing, 0, 0, "12345678"); }

bool RawHttp2::AwaitHeaders(std::uint32_t stream) {
  while (streams_[stream].headers.empty()) {
    if (!ReadFrame()) return false;
  }
  return true;
}

bool RawHttp2::AwaitAnswer(std::uint32_t stream) {
  while (!streams_[stream].answered && !streams_[stream].ended) {
    if (!ReadFrame()) return false;
  }
  return streams_[stream].answered;
}

bool RawHttp2::AwaitEnd(std::uint32_t stream) {
  while (!streams_[stream].ended) {
    if (!ReadFrame()) return false;
  }
  return true;
}

bool RawHttp2::AwaitClose() {
  while (ReadFrame()) continue;
  return closed_by_server_;
}

std::string RawHttp2::HeadersOf(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? "" : found->second.headers;
}

void RawHttp2::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    // The server may have closed the connection.
    if (sent <= 0) {
      closed_ = true;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void RawHttp2::WriteFrame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                          std::string_view payload) {
  Write(Frame(type, flags, stream, payload));
}

bool RawHttp2::ReadBytes(std::size_t count, std::string& bytes) {
  bytes.resize(count);
  for (std::size_t got = 0; got < count;) {
    const ssize_t part = ::recv(socket_, bytes.data() + got, count - got, 0);
    if (part <= 0) {
      closed_ = true;
      // EAGAIN means that the socket's timeout is over.
      closed_by_server_ = part == 0 || errno != EAGAIN;
      return false;
    }
    got += static_cast<std::size_t>(part);
  }
  return true;
}

bool RawHttp2::ReadFrame() {
  std::string head;
  std::string payload;
  if (!ReadBytes(kFrameHead, head)) return false;
  if (!ReadBytes(NumberOf({head.data(), 3}), payload)) return false;
  const auto type = static_cast<std::uint8_t>(head[3]);
  const auto flags = static_cast<std::uint8_t>(head[4]);
  const std::uint32_t stream = NumberOf({head.data() + 5, 4});
  if (type == kSettings && (flags & kAck) == 0) TakeSettings(payload);
  if (type == kPing && (flags & kAck) == 0) WriteFrame(kPing, kAck, 0, payload);
  if (type == kWindowUpdate) TakeWindow(stream, payload);
  if (type == kGoaway) goaway_error_ = NumberOf({payload.data() + 4, 4});
  if (type == kData) streams_[stream].answered = true;
  if (type == kHeaders) streams_[stream].headers += payload;
  if (type == kReset || ((type == kHeaders || type == kData) && (flags & kEndStream) != 0)) {
    streams_[stream].ended = true;
  }
  return true;
}

void RawHttp2::TakeSettings(std::string_view payload) {
  for (; payload.size() >= 6; payload.remove_prefix(6)) {
    if (NumberOf(payload.substr(0, 2)) != kInitialWindowSize) continue;
    const std::int64_t window = NumberOf(payload.substr(2, 4));
    for (auto& [number, stream] : streams_) stream.window += window - first_window_;
    first_window_ = window;
  }
  WriteFrame(kSettings, kAck, 0, "");
}

void RawHttp2::TakeWindow(std::uint32_t stream, std::string_view payload) {
  const std::int64_t more = NumberOf(payload);
  (stream == 0 ? window_ : streams_[stream].window) += more;
}

std::string GrpcFrame(std::string_view message, bool compressed) {
  return std::string(1, compressed ? '\1' : '\0') + BigEndian(message.size(), 4) +
         std::string(message);
}

}  // namespace thalweg::service
