// The threads that plan for all sessions of a server.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "server/session/planner.h"

namespace thalweg::session {

// Runs work in the order of its time; work of the same time in the order in which it was posted.
class PlannerThreads final : public Planner {
 public:
  // Starts this number of threads, 1 or more; throws std::system_error if the system makes fewer.
  explicit PlannerThreads(int threads);
  // Finishes running work and joins the threads.
  ~PlannerThreads() override;

  PlannerThreads(const PlannerThreads&) = delete;
  PlannerThreads& operator=(const PlannerThreads&) = delete;

  void Post(TimePoint not_before, Work work) override;

 private:
  PlannerThreads() = default;

  void Loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<TimePoint, Work> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace thalweg::session
