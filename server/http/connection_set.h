// The connections that live on one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "server/http/connection.h"
#include "server/http/connection_counters.h"

namespace thalweg::http {

// For that thread only.
class ConnectionSet {
 public:
  using Clock = std::function<Connection::Clock::time_point()>;

  // On a context that one thread runs. Context and counters outlive it.
  ConnectionSet(boost::asio::io_context& context, ConnectionCounters& counters,
                Clock clock = Connection::Clock::now)
      : context_(context), counters_(counters), clock_(std::move(clock)) {}

  // Thread-safe.
  boost::asio::io_context& context() { return context_; }

  void Add(std::shared_ptr<Connection> connection);
  void Remove(const std::shared_ptr<Connection>& connection);
  // Whether a connection with this seat may come in. If there are too many, of its address or in
  // all (`full`), closes the one of them that has waited longest for its peer; false when all are
  // at work.
  bool MakeRoom(const AddressSeats::Seat& seat, bool full);

  // For every connection.
  void Sweep();
  void Drain();
  void Abort();

  // The time, and as the Date header has it.
  Connection::Clock::time_point now() const { return clock_(); }
  const std::string& date();

 private:
  // Of all, or of an address.
  bool CloseLongestWaiting(std::string_view prefix);
  template <typename Do>
  void ForAll(const Do& act);

  boost::asio::io_context& context_;
  ConnectionCounters& counters_;
  const Clock clock_;
  absl::flat_hash_set<std::shared_ptr<Connection>> connections_;
  std::time_t dated_ = 0;
  std::string date_;
};

}  // namespace thalweg::http
