// An HTTP/2 client that sends any bytes, valid or not: half requests, compressed requests, or
// nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thalweg::service {

using Http2Headers = std::vector<std::pair<std::string, std::string>>;

// One connection over a plain socket. It waits at most a minute for anything, obeys flow control
// and answers the server's pings.
class RawHttp2 {
 public:
  // Connects, but sends nothing yet.
  explicit RawHttp2(int port);
  ~RawHttp2();

  RawHttp2(const RawHttp2&) = delete;
  RawHttp2& operator=(const RawHttp2&) = delete;

  // Sends the preface and settings: every connection begins with them. `window`: how many bytes of
  // each answer the server may send; this client never takes more.
  void Begin(std::uint32_t window = 65'535);
  // Begins a gRPC call. Its stream's number must be odd and greater than that of the last call.
  void Call(std::uint32_t stream, const std::string& path, const Http2Headers& more = {});
  // Begins and ends `count` calls from this stream on, in one write. Each has the same block of
  // headers, as HPACK.
  void CallMany(std::uint32_t first, std::uint32_t count, std::string_view block);
  // Sends bytes of a call. Returns false if the call or the connection ended before the server had
  // taken all of them.
  bool Send(std::uint32_t stream, std::string_view bytes, bool end);
  void Ping();

  // Reads until a call's headers come. False if the connection ended without them.
  bool AwaitHeaders(std::uint32_t stream);
  // Reads until a call is answered. False if the call or the connection ended without an answer.
  bool AwaitAnswer(std::uint32_t stream);
  // Reads until a call has ended. False if the connection ended first.
  bool AwaitEnd(std::uint32_t stream);
  // Reads until the server closes the connection. False if it does not.
  bool AwaitClose();
  // The error of the last GOAWAY; 0 if it had none, or if none came.
  std::uint32_t goaway_error() const { return goaway_error_; }
  // A call's headers and trailers, still encoded as HPACK. Their text is readable.
  std::string HeadersOf(std::uint32_t stream) const;

 private:
  struct Stream {
    std::int64_t window = 0;
    bool answered = false;
    bool ended = false;
    std::string headers;
  };

  void Write(std::string_view bytes);
  void WriteFrame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload);
  bool ReadBytes(std::size_t count, std::string& bytes);
  // False at the end of the connection.
  bool ReadFrame();
  void TakeSettings(std::string_view payload);
  void TakeWindow(std::uint32_t stream, std::string_view payload);

  int socket_;
  bool closed_ = false;
  bool closed_by_server_ = false;
  std::int64_t first_window_ = 65'535;
  std::int64_t window_ = 65'535;
  std::map<std::uint32_t, Stream> streams_;
  std::uint32_t goaway_error_ = 0;
};

// A message in gRPC's frame.
std::string GrpcFrame(std::string_view message, bool compressed = false);

}  // namespace thalweg::service
