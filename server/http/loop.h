// One thread of the server and the connections that live on it.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <thread>

#include "server/http/connection_counters.h"
#include "server/http/connection_set.h"

namespace thalweg::http {

// A connection never changes its loop, so it needs no lock.
class Loop {
 public:
  // Starts the thread, which looks at the connections' times once a `sweep`. The counters outlive
  // it.
  Loop(std::chrono::milliseconds sweep, ConnectionCounters& counters);
  // No connection may be left.
  ~Loop();

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Ends the thread. Must be called by another thread.
  void Stop();

  // Thread-safe.
  boost::asio::io_context& context() { return context_; }
  // For the loop's own thread.
  ConnectionSet& connections() { return connections_; }

  // Thread-safe: has every connection drain.
  void DrainAll();
  // Aborts every connection; returns when they are gone. Must be called by another thread.
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
