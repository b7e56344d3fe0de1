// Where a request ends, from its head. Requests that a proxy could read differently are refused
// (RFC 9112, 6 and 11.2).
#pragma once

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace thalweg::http {

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

}  // namespace thalweg::http
