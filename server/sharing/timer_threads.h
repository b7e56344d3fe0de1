// The threads of a timer.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "server/sharing/timer.h"

namespace thalweg::sharing {

// Runs work in the order of its time; work of the same time in the order in which it was posted.
class TimerThreads final : public Timer {
 public:
  // Starts this number of threads, 1 or more; throws std::system_error if the system makes fewer.
  explicit TimerThreads(int threads);
  // Finishes running work and joins the threads.
  ~TimerThreads() override;

  TimerThreads(const TimerThreads&) = delete;
  TimerThreads& operator=(const TimerThreads&) = delete;

  void Post(TimePoint not_before, Work work) override;

 private:
  void Loop(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<TimePoint, Work> queue_;
  // Last: they use the others until they are joined.
  std::vector<std::jthread> threads_;
};

}  // namespace thalweg::sharing
