import { cpus } from 'node:os'

/** CPU time of this process so far. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The time that the cores of this machine have been idle, all together. */
export const idleCoreMs = (): number => cpus().reduce((total, { times }) => total + times.idle, 0)
