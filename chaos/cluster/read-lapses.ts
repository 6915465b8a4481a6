import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClockEntry } from './journal.ts'

/** A node could not renew its lease in this time, so that others may have settled its requests. Times are those of the run. */
export type LeaseLapse = { node: string; fromMs: number; untilMs: number }

/** What the nodes themselves wrote into their logs: an operator is told. */
export const readLapses = (folder: string, clocks: readonly ClockEntry[]): LeaseLapse[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('node-') && existsSync(join(folder, name, 'server.log')))
    .flatMap((node) => {
      const aheadMs = clocks.find((clock) => clock.node === node)?.aheadMs ?? 0
      return readFileSync(join(folder, node, 'server.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"event":"node_lease_expired"'))
        .map((line): { time: string; silentMs: number } => JSON.parse(line))
        .map(({ time, silentMs }) => {
          const untilMs = new Date(time).getTime() - aheadMs
          return { node, fromMs: untilMs - silentMs, untilMs }
        })
    })
