#include "server/http/loop.h"

#include <boost/asio/post.hpp>
#include <future>

namespace thalweg::http {

Loop::Loop(std::chrono::milliseconds sweep, ConnectionCounters& counters)
    : sweep_(sweep),
      context_(1),
      work_(context_.get_executor()),
      timer_(context_),
      connections_(context_, counters) {
  AwaitSweep();
  thread_ = std::thread([this] { context_.run(); });
}

Loop::~Loop() { Stop(); }

void Loop::Stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
}

void Loop::DrainAll() {
  boost::asio::post(context_, [this] { connections_.Drain(); });
}

void Loop::EndAll(const absl::Status& why) {
  boost::asio::post(context_, [this, why] { connections_.End(why); });
}

void Loop::AbortAll() {
  std::promise<void> aborted;
  boost::asio::post(context_, [this, &aborted] {
    connections_.Abort();
    aborted.set_value();
  });
  aborted.get_future().wait();
}

void Loop::AwaitSweep() {
  timer_.expires_after(sweep_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    connections_.Sweep();
    AwaitSweep();
  });
}

}  // namespace thalweg::http
