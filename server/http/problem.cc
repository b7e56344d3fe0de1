#include "server/http/problem.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/wire/status_details.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {

int CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return 400;
    case absl::StatusCode::kUnauthenticated:
      return 401;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kOutOfRange:
      return 404;
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kAborted:
      return 409;
    case absl::StatusCode::kResourceExhausted:
      return 429;
    case absl::StatusCode::kUnimplemented:
      return 501;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kCancelled:
      return 503;
    case absl::StatusCode::kDeadlineExceeded:
      return 504;
    default:
      return 500;
  }
}

namespace {

// Errors contain callers' texts, which may have any bytes, but JSON accepts only UTF-8.
std::string Printable(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return plain ? text : absl::CHexEscape(text);
}

}  // namespace

Response ProblemOf(int code, const std::string& detail, const std::string& call_id) {
  v1::Problem problem;
  problem.set_type("about:blank");
  problem.set_title(std::string(ReasonOf(code)));
  problem.set_status(static_cast<std::uint32_t>(code));
  problem.set_detail(Printable(detail));
  problem.set_instance(absl::StrCat("urn:thalweg:call:", call_id));
  Response response{.status = code,
                    .content_type = "application/problem+json",
                    .headers = "",
                    .body = BodyOf(text::ToJson(problem).value_or("{}"))};
  response.Add("Cache-Control", "no-store");
  return response;
}

Response ProblemOf(const absl::Status& status, const std::string& call_id) {
  Response response = ProblemOf(CodeOf(status), std::string(status.message()), call_id);
  if (const auto delay = wire::RetryDelayOf(status)) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*delay);
    response.Add("Retry-After", absl::StrCat(std::max<std::int64_t>(1, seconds.count())));
  }
  if (absl::IsUnauthenticated(status)) response.Add("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace thalweg::http
