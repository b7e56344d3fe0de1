// Where a request ends, by its head: requests that a proxy could read in another way are refused
// (RFC 9112, 6 and 11.2).
#pragma once

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace thalweg::http {

using Head = boost::beast::http::request_header<boost::beast::http::fields>;

// Why a request is refused, as its answer says it.
struct Refusal {
  int code = 400;
  std::string detail;
};

// Whether a line goes on in the next one, by the head's bytes (RFC 9112, 5.2).
bool IsFolded(std::string_view head);

// Nothing if the head gives its host and its body's length once, and in one way: by Content-Length
// as a plain number, or by Transfer-Encoding: chunked. 501 for other codings before chunked, 400
// for all else.
std::optional<Refusal> CheckFraming(const Head& head);

}  // namespace thalweg::http
