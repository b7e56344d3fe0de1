#include "server/http/loop.h"

#include <boost/asio/post.hpp>
#include <ctime>
#include <future>
#include <vector>

#include "absl/strings/str_format.h"

namespace thalweg::http {

Loop::Loop(std::chrono::milliseconds sweep, ConnectionCounters& counters)
    : sweep_(sweep),
      counters_(counters),
      context_(1),
      work_(context_.get_executor()),
      timer_(context_) {
  AwaitSweep();
  thread_ = std::thread([this] { context_.run(); });
}

Loop::~Loop() { Stop(); }

void Loop::Stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
}

void Loop::Add(std::shared_ptr<Connection> connection) {
  connections_.insert(std::move(connection));
  ++counters_.begun;
  ++counters_.open;
}

void Loop::Remove(const std::shared_ptr<Connection>& connection) {
  if (connections_.erase(connection) == 1) --counters_.open;
}

// What is done to a connection may remove it.
template <typename Do>
void Loop::ForAll(const Do& act) {
  const std::vector<std::shared_ptr<Connection>> all(connections_.begin(), connections_.end());
  for (const auto& connection : all) act(*connection);
}

bool Loop::CloseIdlest() {
  std::shared_ptr<Connection> idlest;
  auto since = Connection::Clock::time_point::max();
  for (const auto& connection : connections_) {
    if (connection->idle_since() >= since) continue;
    since = connection->idle_since();
    idlest = connection;
  }
  if (idlest == nullptr) return false;
  idlest->Abort();
  return true;
}

void Loop::DrainAll() {
  boost::asio::post(context_,
                    [this] { ForAll([](Connection& connection) { connection.Drain(); }); });
}

void Loop::AbortAll() {
  std::promise<void> aborted;
  boost::asio::post(context_, [this, &aborted] {
    ForAll([](Connection& connection) { connection.Abort(); });
    aborted.set_value();
  });
  aborted.get_future().wait();
}

void Loop::AwaitSweep() {
  timer_.expires_after(sweep_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    ForAll([now = now()](Connection& connection) { connection.Sweep(now); });
    AwaitSweep();
  });
}

const std::string& Loop::date() {
  const std::time_t time = std::time(nullptr);
  if (time == dated_) return date_;
  dated_ = time;
  std::tm utc{};
  gmtime_r(&time, &utc);
  // IMF-fixdate (RFC 9110, 5.6.7): English names, whatever the locale.
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  date_ =
      absl::StrFormat("%s, %02d %s %04d %02d:%02d:%02d GMT", kDays[utc.tm_wday], utc.tm_mday,
                      kMonths[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return date_;
}

}  // namespace thalweg::http
