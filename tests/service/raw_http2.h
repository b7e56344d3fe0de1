// A client of HTTP/2 that sends any bytes, valid or not: half requests, compressed ones, none at
// all.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thalweg::service {

using Http2Headers = std::vector<std::pair<std::string, std::string>>;

// One connection over a plain socket. What takes longer than a minute counts as never. Obeys flow
// control and answers the server's pings.
class RawHttp2 {
 public:
  // Connects, and says nothing yet.
  explicit RawHttp2(int port);
  ~RawHttp2();

  RawHttp2(const RawHttp2&) = delete;
  RawHttp2& operator=(const RawHttp2&) = delete;

  // The preface and empty settings, with which every connection begins.
  void Begin();
  // Begins a gRPC call of an odd stream, each with a greater number than the one before it.
  void Call(std::uint32_t stream, const std::string& path, const Http2Headers& more = {});
  // Sends bytes of a call, as far as the server takes them: false when the call or the connection
  // ended first.
  bool Send(std::uint32_t stream, std::string_view bytes, bool end);
  void Ping();

  // Reads until a call is answered; false when it, or the connection, ended without an answer.
  bool AwaitAnswer(std::uint32_t stream);
  // Reads until a call has ended; false when the connection ended first.
  bool AwaitEnd(std::uint32_t stream);
  // Reads until the server ends the connection; false when it does not.
  bool AwaitClose();
  // The last GOAWAY's error; 0: none came, or one without an error.
  std::uint32_t goaway_error() const { return goaway_error_; }
  // Headers and trailers of a call as they were sent, compressed; text stands in them as it is.
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

// A message as gRPC frames it.
std::string GrpcFrame(std::string_view message, bool compressed = false);

}  // namespace thalweg::service
