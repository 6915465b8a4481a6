import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClockEntry } from './journal.ts'
import { longPauseMs } from './lease-times.ts'

/** A node could not renew its lease in this time, so that others may have settled its requests. Times are those of the run. */
export type LeaseLapse = { node: string; fromMs: number; untilMs: number }

type Logged = { event: string; time: string; silentMs: number; name: string }

/** What the nodes wrote into their logs: a node that lives says that its lease has ended, and the others say it of one that is dead. */
export const readLapses = (folder: string, clocks: readonly ClockEntry[]): LeaseLapse[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('node-') && existsSync(join(folder, name, 'server.log')))
    .flatMap((node) => {
      const aheadMs = clocks.find((clock) => clock.node === node)?.aheadMs ?? 0
      return readFileSync(join(folder, node, 'server.log'), 'utf8')
        .split('\n')
        .filter((line) => /"event":"node_(lease_expired|ended)"/.test(line))
        .map((line): Logged => JSON.parse(line))
        .map(({ event, time, silentMs, name }) => {
          const untilMs = new Date(time).getTime() - aheadMs
          if (event === 'node_lease_expired') return { node, fromMs: untilMs - silentMs, untilMs }
          // It was silent for its lease, and the others took some heartbeats to notice, on a busy machine twice as many.
          return { node: name, fromMs: untilMs - 2 * longPauseMs, untilMs }
        })
    })
