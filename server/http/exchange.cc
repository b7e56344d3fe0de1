#include "server/http/exchange.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "server/calls/call_listener.h"
#include "server/http/problem.h"

namespace thalweg::http {
namespace {

boost::beast::string_view View(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Exchange::Exchange(std::shared_ptr<Origin> origin, Message message,
                   boost::asio::ip::tcp::endpoint peer, bool encrypted)
    : origin_(std::move(origin)),
      message_(std::move(message)),
      peer_(std::move(peer)),
      encrypted_(encrypted) {}

bool Exchange::is_head() const { return message_.method() == boost::beast::http::verb::head; }

std::string_view Exchange::Header(std::string_view name) const {
  const auto found = message_.find(View(name));
  if (found == message_.end()) return {};
  return {found->value().data(), found->value().size()};
}

std::string Exchange::peer() const {
  const std::string address = peer_.address().to_string();
  return peer_.address().is_v6() ? absl::StrCat("ipv6:[", address, "]:", peer_.port())
                                 : absl::StrCat("ipv4:", address, ":", peer_.port());
}

void Exchange::Begin(const calls::CallListeners& listeners, calls::Method method) {
  admission_.emplace(listeners, method, calls::RequestIdOf(Header(calls::kRequestIdKey)),
                     [this] { return peer(); });
}

void Exchange::Answer(Response response) {
  if (response.body != nullptr) admission_->Sent(response.body->size());
  Finish(absl::OkStatus(), std::move(response));
}

void Exchange::Fail(const absl::Status& status) {
  const absl::Status& reason = is_cancelled() ? cancelled_ : status;
  Finish(reason, ProblemOf(reason, id()));
}

void Exchange::Fail(int code, const std::string& detail) {
  Finish(absl::InvalidArgumentError(detail), ProblemOf(code, detail, id()));
}

void Exchange::Finish(const absl::Status& status, Response response) {
  cancel_ = nullptr;
  admission_->End(status);
  response.Add("X-Request-Id", id());
  origin_->Send(std::move(response));
}

void Exchange::Cancel(const absl::Status& reason) {
  if (is_cancelled()) return;
  cancelled_ = reason;
  if (cancel_ == nullptr) return;
  // `cancel` may answer at once, which resets the member.
  Work cancel = std::exchange(cancel_, nullptr);
  std::move(cancel)();
}

}  // namespace thalweg::http
