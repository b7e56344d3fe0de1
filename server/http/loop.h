// One thread of the server and the connections that live on it.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <thread>

#include "absl/container/flat_hash_set.h"
#include "server/http/connection.h"
#include "server/http/connection_counters.h"

namespace thalweg::http {

// Connections never change their loop, so nothing of them is locked. What is not said to be
// thread-safe is for the loop's own thread.
class Loop {
 public:
  // Starts the thread, which looks at the connections' times once a `sweep`. The counters outlive
  // it.
  Loop(std::chrono::milliseconds sweep, ConnectionCounters& counters);
  // There must be no connections any more.
  ~Loop();

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Ends the thread; nothing runs on it any more. To be called by another one.
  void Stop();

  // Thread-safe.
  boost::asio::io_context& context() { return context_; }

  void Add(std::shared_ptr<Connection> connection);
  void Remove(const std::shared_ptr<Connection>& connection);
  // Closes the connection that has been idle for longest; false when none is.
  bool CloseIdlest();

  // Thread-safe: has every connection drain.
  void DrainAll();
  // Has every connection abort; returns when they are gone. To be called by another thread.
  void AbortAll();

  // The time, and as the Date header has it.
  Connection::Clock::time_point now() const { return Connection::Clock::now(); }
  const std::string& date();

 private:
  void AwaitSweep();
  template <typename Do>
  void ForAll(const Do& act);

  const std::chrono::milliseconds sweep_;
  ConnectionCounters& counters_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  absl::flat_hash_set<std::shared_ptr<Connection>> connections_;
  std::time_t dated_ = 0;
  std::string date_;
  std::thread thread_;
};

}  // namespace thalweg::http
