import { totalmem } from 'node:os'

/** Memory of the machine, or of the container this process runs in. */
export const memoryLimitBytes = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
