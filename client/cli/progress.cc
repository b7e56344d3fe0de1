#include "client/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "absl/strings/str_format.h"

namespace thalweg::cli {
namespace {

constexpr int kBarWidth = 32;
constexpr std::chrono::milliseconds kInterval{80};
constexpr char kWipe[] = "\r\033[K";

}  // namespace

std::string ProgressText(const RegionProgress& progress, double seconds) {
  const double part = progress.tiles > 0 ? static_cast<double>(progress.tiles_done) /
                                               static_cast<double>(progress.tiles)
                                         : 1;
  const auto filled = static_cast<std::size_t>(std::lround(std::clamp(part, 0.0, 1.0) * kBarWidth));
  const std::string bar = std::string(filled, '=') + std::string(kBarWidth - filled, ' ');
  const double rate = seconds > 0 ? static_cast<double>(progress.wire_bytes) / 1e6 / seconds : 0;
  return absl::StrFormat("[%s] %d/%d tiles  %.1f MB/s", bar, progress.tiles_done, progress.tiles,
                         rate);
}

ProgressLine::ProgressLine()
    : terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_ - kInterval) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs(kWipe, stderr);
}

void ProgressLine::Show(const RegionProgress& progress) {
  const Clock::time_point now = Clock::now();
  if (!terminal_ || (now - last_ < kInterval && progress.tiles_done < progress.tiles)) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fputs((kWipe + ProgressText(progress, seconds)).c_str(), stderr);
}

}  // namespace thalweg::cli
