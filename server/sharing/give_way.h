// Lowers the priority of threads that compute, below that of threads that answer calls.
#pragma once

namespace thalweg::sharing {

// From now on the calling thread, and threads that it starts, get less of a busy processor: about a
// third of what a thread of normal priority gets. On an idle processor nothing changes. For work of
// milliseconds or more, which would delay answers that take microseconds. Does nothing where
// threads have no priorities (Linux has them: setpriority(2)).
void GiveWay();

}  // namespace thalweg::sharing
