import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Resolves once there is no such process. The system tells nobody but its parent, so one has to look. */
export const processGone = async (pid: number): Promise<void> => {
  while (isInTable(pid) && !isZombie(pid)) await setTimeout(10)
}

const isInTable = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Ended, but nobody has asked for its exit code: a container without an init process leaves it so. */
const isZombie = (pid: number): boolean => {
  const path = `/proc/${pid}/stat`
  try {
    return existsSync(path) && /\) Z [^)]*$/.test(readFileSync(path, 'utf8'))
  } catch {
    return true
  }
}
