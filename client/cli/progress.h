// A line that tells how far a region has come.
#pragma once

#include <chrono>
#include <string>

#include "thalweg/region.h"

namespace thalweg::cli {

// "[=====     ]": so much of it is done, 0 to 1.
std::string BarText(double part);

// "[=====     ]  37/64 tiles  12.3 MB/s": what the line says after so many seconds.
std::string ProgressText(const RegionProgress& progress, double seconds);

// Keeps such a line on the standard error while it is a terminal; writes nothing otherwise. Not
// thread-safe.
class ProgressLine {
 public:
  ProgressLine();
  // Wipes the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const RegionProgress& progress);
  // Any text, now and then; the last one in any case.
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
