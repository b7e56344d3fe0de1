#include "server/sharing/give_way.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace thalweg::sharing {

void GiveWay() {
#ifdef __linux__
  // For the calling thread only: on Linux each thread has its own nice value (sched(7)).
  constexpr int kNice = 5;
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kNice);
#endif
}

}  // namespace thalweg::sharing
