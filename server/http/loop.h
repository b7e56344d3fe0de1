// A thread of the server, and its connections.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <thread>

#include "absl/status/status.h"
#include "server/http/connection_counters.h"
#include "server/http/connection_set.h"

namespace thalweg::http {

// A connection stays on its loop, so it needs no lock.
class Loop {
 public:
  // Starts the thread, which checks the connections' times once in each `sweep`. The counters must
  // outlive the loop.
  Loop(std::chrono::milliseconds sweep, ConnectionCounters& counters);
  // All connections must be gone.
  ~Loop();

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Ends the thread. Must be called by another thread.
  void Stop();

  // Thread-safe.
  boost::asio::io_context& context() { return context_; }
  // Used only by the loop's own thread.
  ConnectionSet& connections() { return connections_; }

  // Thread-safe. Drains every connection.
  void DrainAll();
  // Thread-safe. Ends every connection: requests under way are answered with this error.
  void EndAll(const absl::Status& why);
  // Aborts every connection, and returns when all are gone. Must be called by another thread.
  void AbortAll();

 private:
  void AwaitSweep();

  const std::chrono::milliseconds sweep_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  ConnectionSet connections_;
  std::thread thread_;
};

}  // namespace thalweg::http
