import { readdirSync, readFileSync } from 'node:fs'

const threadsPath = '/proc/self/task'
const nsPerMs = 1e6

/** How long the threads of this process were ready to run and had no core so far, all together. Null if the system does not say. */
export const waitedMs = (): number | null => {
  try {
    return readdirSync(threadsPath).reduce((total, thread) => total + threadWaitedMs(thread), 0)
  } catch {
    return null
  }
}

/** 0 for a thread that has just ended. */
const threadWaitedMs = (thread: string): number => {
  try {
    const [, waitedNs] = readFileSync(`${threadsPath}/${thread}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / nsPerMs
  } catch (error) {
    if (thread === String(process.pid)) throw error
    return 0
  }
}
