// The processor time of processes and of all that they started, on Linux.
import {readFileSync, readdirSync} from 'node:fs';

interface Process {
  readonly parent: number;
  readonly seconds: number;
}

const ticksASecond = 100;

// The running processes. A process's time includes that of its children that have ended.
function processes(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The program's name, in brackets, may contain blanks.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number);
      const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
      found.set(Number(name), {parent: fields[1]!, seconds: ticks / ticksASecond});
    } catch {
      // The process has ended.
    }
  }
  return found;
}

// Returns the processor time of a process and its descendants so far, in seconds. Those below `except` don't count.
export function processorSeconds(root: number, except?: number): number {
  const all = processes();
  const isBelow = (id: number): boolean => {
    for (let at: number | undefined = id; at !== undefined && at > 1; at = all.get(at)?.parent) {
      if (at === except) return false;
      if (at === root) return true;
    }
    return false;
  };
  let seconds = 0;
  for (const [id, process] of all) if (isBelow(id)) seconds += process.seconds;
  return seconds;
}
