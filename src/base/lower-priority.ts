import { setPriority } from 'node:os'

/**
 * Lets other threads go first: for work that may take long while many wait for something short. On Linux only, where the
 * priority is one of the thread; elsewhere it is that of the whole process. It cannot be raised again.
 */
export const lowerPriority = (): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, lowPriority)
  } catch {
    // Not permitted on this system; everything works without it.
  }
}

/** Beside a busy thread of normal priority, about a quarter of a core. */
const lowPriority = 5
