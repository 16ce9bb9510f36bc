/** Signals to processes that may be gone already. Unix only, like process groups. */

/** Whether a process is there, and ours to signal. A negative id asks for any process of that group. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // That it cannot be signalled is the answer.
    return false;
  }
}

/** Signals a process and all that it started in its process group. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone: that is what was wanted.
  }
}
