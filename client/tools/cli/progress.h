// A line that shows a region's progress.
#pragma once

#include <chrono>
#include <string>

#include "thalweg/region.h"

namespace thalweg::cli {

// Returns a bar such as "[=====     ]" for the part that is done, 0 to 1.
std::string BarText(double part);

// Returns the line after `seconds`, such as "[=====     ]  37/64 tiles  12.3 MB/s".
std::string ProgressText(const RegionProgress& progress, double seconds);

// Shows the line on the standard error if that is a terminal; otherwise writes nothing. Not
// thread-safe.
class ProgressLine {
 public:
  ProgressLine();
  // Erases the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const RegionProgress& progress);
  // Shows a text at most a few times a second, but always the last one.
  void Show(const std::string& text, bool last);
  double Seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace thalweg::cli
