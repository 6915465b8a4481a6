const firstDelayMs = 250
const longestDelayMs = 10_000

/** Delay before restarting a process that failed `failures` times in a row. */
export const restartDelayMs = (failures: number): number =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 16))
