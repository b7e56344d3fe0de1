// Takes what the field answers, and checks it.
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

// Gathers the answers of requests by a number that the test gives them. Thread-safe; must outlive
// the field.
class Collector {
 public:
  // A callback that files its answer under a number.
  Field::Done For(int number);
  // Blocks until a number of answers have come.
  void Await(std::size_t answers);
  std::size_t answers() const;
  // The numbers in the order of their answers.
  std::vector<int> Order() const;
  // Answers that came to a number which had one.
  int repeated() const;
  // The answer, which must have come.
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

// How many of a tile's values differ from what the fake backend computes for its place; all of them
// if planes are missing.
std::size_t WrongValues(const TileRequest& request, const TileValues& values);

}  // namespace thalweg::field
