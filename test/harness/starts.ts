import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'

/** What costs more to start than most tests take. An engine that a program starts is the program's. */
export const startKinds = ['servers', 'programs', 'browsers', 'models'] as const
type StartKind = (typeof startKinds)[number]
export type Starts = Record<StartKind, number>

export const noStarts: Readonly<Starts> = { servers: 0, programs: 0, browsers: 0, models: 0 }

/** Those of this process so far. */
const counted: Starts = { ...noStarts }

export const countStart = (kind: StartKind): void => {
  counted[kind] += 1
}

/** Counts every child process of this one, whoever starts it: from now on. */
export const watchProcesses = (): void =>
  subscribe('child_process', (message) => {
    const { process } = asStarting(message)
    // Node tells before it gives the process its command.
    queueMicrotask(() => {
      const kind = kindOf(process.spawnargs ?? [])
      if (kind !== null) countStart(kind)
    })
  })

/** True because Node alone publishes on this channel. */
const asStarting = (message: unknown) => message as { process: ChildProcess }

const kindOf = (command: readonly string[]): StartKind | null => {
  if (command.some((word) => word.endsWith('/helix'))) return 'programs'
  if (command.some((word) => word.endsWith('/engine-process.ts'))) return 'models'
  return command.some((word) => word.startsWith('--remote-debugging-')) ? 'browsers' : null
}

export const startsSoFar = (): Starts => ({ ...counted })

const combine = (one: Starts, other: Starts, join: (one: number, other: number) => number): Starts => ({
  servers: join(one.servers, other.servers),
  programs: join(one.programs, other.programs),
  browsers: join(one.browsers, other.browsers),
  models: join(one.models, other.models),
})

export const addStarts = (one: Starts, other: Starts): Starts => combine(one, other, (a, b) => a + b)
export const subtractStarts = (one: Starts, other: Starts): Starts => combine(one, other, (a, b) => a - b)
