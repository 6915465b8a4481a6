import { readFileSync } from 'node:fs'
import { type Starts, startsSoFar, subtractStarts, watchProcesses } from './starts.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file. */
    cost?: FileCost
  }
}

/** What a file has started, and the CPU time of its process and of those of its child processes that have ended. */
export type FileCost = { starts: Starts; cpuMs: number }

watchProcesses()

/** Measures from the moment when a file begins to be loaded. One process runs its files one after the other. */
export const openFileCost = (): (() => FileCost) => {
  const starts = startsSoFar()
  const cpuMs = cpuSoFar()
  return () => ({ starts: subtractStarts(startsSoFar(), starts), cpuMs: Math.round(cpuSoFar() - cpuMs) })
}

/** Linux counts child processes, too. */
const cpuSoFar = (): number => {
  const own = process.cpuUsage()
  return (own.user + own.system) / 1000 + childrenTicks() * 10
}

/** Hundredths of a second, which is Linux's unit on all of its platforms. */
const childrenTicks = (): number => {
  if (process.platform !== 'linux') return 0
  // The name of the command, in parentheses, may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return Number(fields[13]) + Number(fields[14])
}
