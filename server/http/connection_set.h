// The connections of one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <ctime>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "server/http/connection.h"

namespace thalweg::http {

// Used only by that thread.
class ConnectionSet {
 public:
  using Clock = std::function<Connection::Clock::time_point()>;

  // context: one thread runs it. Context and counters must outlive the set.
  ConnectionSet(boost::asio::io_context& context, ConnectionCounters& counters,
                Clock clock = Connection::Clock::now)
      : context_(context), counters_(counters), clock_(std::move(clock)) {}

  // Thread-safe.
  boost::asio::io_context& context() { return context_; }

  void Add(std::shared_ptr<Connection> connection);
  void Remove(const std::shared_ptr<Connection>& connection);
  // Whether a connection with this slot may come in. If there are too many connections, of its
  // address or of all (`full`), closes the one of this set that has waited longest for its peer.
  // False if none of them waits.
  bool MakeRoom(const AddressSlots::Slot& slot, bool full);

  // Requests that are there at the same time have the thread for a millisecond together. Then it
  // sees to its other events, such as new connections, before it goes on with them. A request that
  // need not wait for that has its turn; the work of others is done later, in the order of calls.
  bool HasTurn() const { return turns_.empty() && now() < turns_end_; }
  void AwaitTurn(Work work);

  // The next four act on every connection.
  void Sweep();
  void Drain();
  void End(const absl::Status& why);
  void Abort();

  // The time now, and as text for the Date header.
  Connection::Clock::time_point now() const { return clock_(); }
  const std::string& date();

 private:
  // prefix: only connections of this address; empty: all.
  bool CloseLongestWaiting(std::string_view prefix);
  template <typename Do>
  void ForAll(const Do& act);
  void RunTurns();

  boost::asio::io_context& context_;
  ConnectionCounters& counters_;
  const Clock clock_;
  absl::flat_hash_set<std::shared_ptr<Connection>> connections_;
  // Requests that wait for their turn. RunTurns is posted while there are any.
  std::deque<Work> turns_;
  Connection::Clock::time_point turns_end_ = Connection::Clock::time_point::min();
  std::time_t dated_ = 0;
  std::string date_;
};

}  // namespace thalweg::http
