import { cpus } from 'node:os'

/** The time that the cores of this machine have been idle, all together. */
export const idleCoreMs = (): number => cpus().reduce((total, { times }) => total + times.idle, 0)
