import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Resolves once the process no longer exists. Polls, because the system notifies only its parent. */
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

/** A zombie: ended but not reaped, as in a container without an init process. */
const isZombie = (pid: number): boolean => {
  const path = `/proc/${pid}/stat`
  try {
    return existsSync(path) && /\) Z [^)]*$/.test(readFileSync(path, 'utf8'))
  } catch {
    return true
  }
}
