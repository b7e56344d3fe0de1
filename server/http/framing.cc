#include "server/http/framing.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace thalweg::http {
namespace {

using Field = boost::beast::http::field;

absl::string_view ValueOf(const Head& head, Field name) {
  const auto value = head[name];
  return {value.data(), value.size()};
}

Refusal Wrong(int code, absl::string_view name, absl::string_view expected,
              const absl::AlphaNum& got) {
  return {code, absl::StrCat("invalid ", name, ": expected ", expected, ", got ", got)};
}

std::string Quoted(absl::string_view value) {
  return absl::StrCat("'", absl::CHexEscape(value), "'");
}

std::optional<Refusal> CheckTransferEncoding(const Head& head) {
  constexpr absl::string_view kName = "Transfer-Encoding";
  const std::size_t count = head.count(Field::transfer_encoding);
  if (count == 0) return std::nullopt;
  if (count > 1) return Wrong(400, kName, "one", count);
  const absl::string_view value = ValueOf(head, Field::transfer_encoding);
  if (head.version() < 11) return Wrong(400, kName, "none with HTTP/1.0", Quoted(value));
  if (head.count(Field::content_length) > 0) {
    return Wrong(400, kName, "only one of Transfer-Encoding and Content-Length", "both");
  }
  if (absl::EqualsIgnoreCase(value, "chunked")) return std::nullopt;
  // If `chunked` is not the last coding, the end of the body is unknown.
  const std::size_t comma = value.rfind(',');
  const absl::string_view last = comma == absl::string_view::npos ? value : value.substr(comma + 1);
  const bool ends = absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(last), "chunked");
  return Wrong(ends ? 501 : 400, kName, "chunked", Quoted(value));
}

std::optional<Refusal> CheckContentLength(const Head& head) {
  constexpr absl::string_view kName = "Content-Length";
  const std::size_t count = head.count(Field::content_length);
  if (count == 0) return std::nullopt;
  if (count > 1) return Wrong(400, kName, "one", count);
  const absl::string_view value = ValueOf(head, Field::content_length);
  if (!value.empty() && std::all_of(value.begin(), value.end(), absl::ascii_isdigit)) {
    return std::nullopt;
  }
  return Wrong(400, kName, "a decimal number", Quoted(value));
}

std::optional<Refusal> CheckHost(const Head& head) {
  const std::size_t count = head.count(Field::host);
  if (count == 1 || (count == 0 && head.version() < 11)) return std::nullopt;
  return Wrong(400, "Host", "one", count);
}

}  // namespace

bool IsFolded(std::string_view head) {
  return head.find("\n ") != std::string_view::npos || head.find("\n\t") != std::string_view::npos;
}

std::optional<Refusal> CheckFraming(const Head& head) {
  for (const auto check : {CheckTransferEncoding, CheckContentLength, CheckHost}) {
    if (auto refusal = check(head)) return refusal;
  }
  return std::nullopt;
}

}  // namespace thalweg::http
