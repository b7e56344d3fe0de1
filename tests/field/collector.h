// Collects the field's answers and checks them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "server/field/field.h"

namespace thalweg::field {

// Collects the answers of requests, by a number that the test gives each request. Thread-safe. It
// must outlive the field.
class Collector {
 public:
  // A callback that stores its answer under this number.
  Field::Done For(int number);
  // Blocks until a number of answers have come.
  void Await(std::size_t answers);
  std::size_t answers() const;
  // The requests' numbers, in the order in which their answers came.
  std::vector<int> Order() const;
  // How many answers came for a number that already had one.
  int repeated() const;
  // The answer of a number. It must have come.
  absl::StatusOr<TileValues> Answer(int number) const;
  absl::Status StatusOf(int number) const { return Answer(number).status(); }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t answers_ = 0;
  int repeated_ = 0;
  std::vector<int> order_;
  std::map<int, absl::StatusOr<TileValues>> by_number_;
};

// How many of a tile's values differ from what the fake backend computes for its vertices. If
// planes are missing, all values count.
std::size_t WrongValues(const TileRequest& request, const TileValues& values);

}  // namespace thalweg::field
