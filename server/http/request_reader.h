// Requests read from bytes, one after the other.
#pragma once

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/exchange.h"
#include "server/http/framing.h"
#include "server/http/http_options.h"

namespace thalweg::http {

// Knows nothing of connections and times. Holds at most a head or a chunk's line, a body, and the
// bytes that came after the request.
class RequestReader {
 public:
  enum class Progress {
    kMore,     // it needs more bytes
    kHead,     // the head is complete; once a request
    kRequest,  // the request is complete, for Take
    kRefused,  // what follows can't be trusted; refusal() says why
  };

  // The options outlive it.
  explicit RequestReader(const HttpOptions& options) : options_(options) {}

  void Append(std::string_view bytes) { unread_.append(bytes); }
  // How many bytes came that were not parsed yet.
  std::size_t unread_bytes() const { return unread_.size(); }
  // Reads on.
  Progress Read();

  // From kHead on: whether the caller waits for "100 Continue" before it sends the body.
  bool awaits_continue() const;
  // After kRequest, once: the request, without what trailers add to its head. The next one begins.
  Message Take();
  // For that request.
  bool keep_alive() const { return keep_alive_; }
  bool http_1_0() const { return http_1_0_; }
  // After kRefused.
  const Refusal& refusal() const { return refusal_; }

  // Between requests: frees the memory of the last one if that was more than `bytes`.
  void Shrink(std::size_t bytes);

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  Progress ReadHead();
  Progress ReadBody();
  Progress AcceptHead();
  Progress Refuse(Refusal refusal);
  Progress RefuseParsed(const boost::beast::error_code& error);

  const HttpOptions& options_;
  std::string unread_;
  std::optional<Parser> parser_;
  // As it was before trailers; only where there may be some.
  std::optional<Head> head_;
  bool keep_alive_ = false;
  bool http_1_0_ = false;
  Refusal refusal_;
};

}  // namespace thalweg::http
