// Reads requests from bytes, one after the other.
#pragma once

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/exchange.h"
#include "server/http/http_options.h"

namespace thalweg::http {

// Where a request ends, from its head. Requests that a proxy could read differently are refused
// (RFC 9112, 6 and 11.2).
using Head = boost::beast::http::request_header<boost::beast::http::fields>;

// The code and the text of the answer to a refused request.
struct Refusal {
  int code = 400;
  std::string detail;
};

// Whether a line of the head is continued on the next one (RFC 9112, 5.2).
bool IsFolded(std::string_view head);

// Empty if the head gives its host and its body's length once, and in one way: by Content-Length as
// a plain number, or by Transfer-Encoding: chunked. 501 for other codings before chunked, else 400.
std::optional<Refusal> CheckFraming(const Head& head);

// Independent of connections and times. Holds at most a head or a chunk's line, a body, and the
// bytes that came after the request.
class RequestReader {
 public:
  enum class Progress {
    kMore,     // it needs more bytes
    kHead,     // the head is complete; once for each request
    kRequest,  // the request is complete, for Take
    kRefused,  // the bytes that follow can't be trusted; see refusal()
  };

  // The limits must outlive the reader.
  explicit RequestReader(const HttpLimits& limits) : limits_(limits) {}

  void Append(std::string_view bytes) { unread_.append(bytes); }
  // The number of bytes that are not parsed yet.
  std::size_t unread_bytes() const { return unread_.size(); }
  // Parses further bytes.
  Progress Read();

  // After kHead: whether the caller waits for "100 Continue" before it sends the body.
  bool awaits_continue() const;
  // After kRequest, once: returns the request, without trailers, and begins the next one.
  Message Take();
  // About the request that was taken.
  bool keep_alive() const { return keep_alive_; }
  bool http_1_0() const { return http_1_0_; }
  // Called after kRefused.
  const Refusal& refusal() const { return refusal_; }

  // Between requests: frees the last one's memory if it was more than `bytes`.
  void Shrink(std::size_t bytes);

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  Progress ReadHead();
  Progress ReadBody();
  Progress AcceptHead();
  Progress Refuse(Refusal refusal);
  Progress RefuseParsed(const boost::beast::error_code& error);

  const HttpLimits& limits_;
  std::string unread_;
  std::optional<Parser> parser_;
  // The head without trailers; empty if trailers are not possible.
  std::optional<Head> head_;
  bool keep_alive_ = false;
  bool http_1_0_ = false;
  Refusal refusal_;
};

}  // namespace thalweg::http
