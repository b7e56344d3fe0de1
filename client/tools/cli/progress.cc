#include "client/tools/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_format.h"

namespace thalweg::cli {
namespace {

constexpr int kBarWidth = 32;
constexpr std::chrono::milliseconds kInterval{80};
constexpr std::chrono::seconds kLinesInterval{10};
constexpr char kWipe[] = "\r\033[K";

}  // namespace

std::string BarText(double part) {
  const auto filled = static_cast<std::size_t>(std::lround(std::clamp(part, 0.0, 1.0) * kBarWidth));
  return "[" + std::string(filled, '=') + std::string(kBarWidth - filled, ' ') + "]";
}

std::string ProgressText(const RegionProgress& progress, double seconds) {
  const double part = progress.tiles > 0 ? static_cast<double>(progress.tiles_done) /
                                               static_cast<double>(progress.tiles)
                                         : 1;
  const double rate = seconds > 0 ? static_cast<double>(progress.wire_bytes) / 1e6 / seconds : 0;
  return absl::StrFormat("%s %d/%d tiles  %.1f MB/s", BarText(part), progress.tiles_done,
                         progress.tiles, rate);
}

ProgressLine::ProgressLine(Elsewhere elsewhere, std::function<Clock::time_point()> now,
                           std::FILE* file)
    : elsewhere_(elsewhere),
      now_(std::move(now)),
      file_(file),
      terminal_(isatty(fileno(file)) == 1),
      start_(now_()),
      // A terminal shows the first text at once.
      last_(terminal_ ? start_ - kInterval : start_) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs(kWipe, file_);
}

double ProgressLine::Seconds() const {
  return std::chrono::duration<double>(now_() - start_).count();
}

void ProgressLine::Show(const RegionProgress& progress) {
  Show(ProgressText(progress, Seconds()), progress.tiles_done >= progress.tiles);
}

void ProgressLine::Show(const std::string& text, bool last) {
  const Clock::time_point now = now_();
  if (terminal_) {
    if (now - last_ < kInterval && !last) return;
    shown_ = true;
    std::fputs((kWipe + text).c_str(), file_);
  } else {
    if (elsewhere_ == Elsewhere::kNothing || now - last_ < kLinesInterval) return;
    std::fputs((text + "\n").c_str(), file_);
  }
  last_ = now;
}

}  // namespace thalweg::cli
