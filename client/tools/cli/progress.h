// A line that shows progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "thalweg/region.h"

namespace thalweg::cli {

// Returns a bar such as "[=====     ]" for the part that is done, 0 to 1.
std::string BarText(double part);

// Returns the line after `seconds`, such as "[=====     ]  37/64 tiles  12.3 MB/s".
std::string ProgressText(const RegionProgress& progress, double seconds);

// Shows the line on a terminal, where it changes. Not thread-safe.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  // What a file that is no terminal gets: nothing, or a line of its own every ten seconds.
  enum class Elsewhere : std::uint8_t { kNothing, kLines };

  // The file must outlive it.
  explicit ProgressLine(Elsewhere elsewhere = Elsewhere::kNothing,
                        std::function<Clock::time_point()> now = Clock::now,
                        std::FILE* file = stderr);
  // Erases the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const RegionProgress& progress);
  // Shows a text: on a terminal at most a few times a second, but always the last one.
  void Show(const std::string& text, bool last);
  double Seconds() const;

 private:
  const Elsewhere elsewhere_;
  const std::function<Clock::time_point()> now_;
  std::FILE* const file_;
  const bool terminal_;
  const Clock::time_point start_;
  bool shown_ = false;
  Clock::time_point last_;
};

}  // namespace thalweg::cli
