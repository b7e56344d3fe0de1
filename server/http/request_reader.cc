#include "server/http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <cstdint>
#include <utility>

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

namespace beast = boost::beast;
using Error = beast::http::error;

// The parser allows any character in a quoted value, even one that others read as a line's end.
void CheckExtension(std::uint64_t, beast::string_view extension, beast::error_code& error) {
  const bool has_control = std::any_of(extension.begin(), extension.end(), [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\t';
  });
  if (has_control) error = Error::bad_chunk_extension;
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

using Progress = RequestReader::Progress;

Progress RequestReader::Read() {
  if (!parser_) {
    parser_.emplace();
    parser_->header_limit(limits_.max_header_bytes);
    parser_->body_limit(limits_.max_body_bytes);
    parser_->on_chunk_header(CheckExtension);
  }
  return parser_->is_header_done() ? ReadBody() : ReadHead();
}

Progress RequestReader::ReadHead() {
  // The parser must stop at the end of the head.
  parser_->eager(false);
  beast::error_code error;
  const std::size_t used = parser_->put(boost::asio::buffer(unread_), error);
  const bool folded = IsFolded(std::string_view(unread_).substr(0, used));
  unread_.erase(0, used);
  if (folded) return Refuse({400, "invalid head: a field is split over two lines"});
  if (error && error != Error::need_more) return RefuseParsed(error);
  if (parser_->is_header_done()) return AcceptHead();
  if (unread_.size() > limits_.max_header_bytes) return RefuseParsed(Error::header_limit);
  return Progress::kMore;
}

// Finds errors in the head before the body is read.
Progress RequestReader::AcceptHead() {
  const Head& head = parser_->get();
  if (auto refusal = CheckFraming(head)) return Refuse(*std::move(refusal));
  const bool has_body = parser_->chunked() || parser_->content_length().value_or(0) > 0;
  if (has_body && head.method() != beast::http::verb::post) {
    return Refuse({413, "the request has a body, but its method is not POST"});
  }
  keep_alive_ = parser_->keep_alive();
  http_1_0_ = head.version() == 10;
  if (parser_->chunked()) head_ = head;
  return Progress::kHead;
}

Progress RequestReader::ReadBody() {
  if (parser_->is_done()) return Progress::kRequest;
  parser_->eager(true);
  beast::error_code error;
  unread_.erase(0, parser_->put(boost::asio::buffer(unread_), error));
  if (error && error != Error::need_more) return RefuseParsed(error);
  if (parser_->is_done()) return Progress::kRequest;
  if (unread_.size() > limits_.max_header_bytes) {
    return Refuse({400, absl::StrCat("a chunk's line or the trailer is longer than ",
                                     limits_.max_header_bytes, " bytes")});
  }
  return Progress::kMore;
}

bool RequestReader::awaits_continue() const {
  return !http_1_0_ && !parser_->is_done() &&
         beast::iequals(parser_->get()[beast::http::field::expect], "100-continue");
}

Message RequestReader::Take() {
  Message message = parser_->release();
  if (head_) message.base() = *std::move(head_);
  head_.reset();
  parser_.reset();
  return message;
}

void RequestReader::Shrink(std::size_t bytes) {
  if (unread_.empty() && unread_.capacity() > bytes) std::string().swap(unread_);
}

Progress RequestReader::Refuse(Refusal refusal) {
  refusal_ = std::move(refusal);
  return Progress::kRefused;
}

Progress RequestReader::RefuseParsed(const beast::error_code& error) {
  if (error == Error::header_limit || error == Error::buffer_overflow) {
    return Refuse(
        {431, absl::StrCat("the head is longer than ", limits_.max_header_bytes, " bytes")});
  }
  if (error == Error::body_limit) {
    return Refuse(
        {413, absl::StrCat("the body is larger than ", limits_.max_body_bytes, " bytes")});
  }
  if (error == Error::bad_version)
    return Refuse({505, "the request is not HTTP/1.1; gRPC has a port of its own (--listen)"});
  return Refuse({400, absl::StrCat("invalid request: expected HTTP/1.1, got ", error.message())});
}

}  // namespace thalweg::http
