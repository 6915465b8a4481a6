import { setTimeout as after } from 'node:timers/promises'
import type { Gate } from './gate.ts'
import type { Journal, KillerEntry } from './journal.ts'
import type { Random } from './random.ts'
import type { Server } from './server.ts'
import { settledRows } from './settled-rows.ts'

type KillerOptions = {
  dataDir: string
  kills: number
  /** No further kills after this time. */
  untilMs: number
  /** How long each life lasts once it serves; random by default. */
  lifeMs: number | null
  random: Random
  gate: Gate
  journal: Journal<KillerEntry>
  start(life: number): Server
  onKill(kills: number): void
}

/**
 * Starts the server, kills it without warning and restarts it on the same data. Life 1 is not killed: it creates what
 * the clients need. Returns the last life, which is not killed either.
 */
export const runKiller = async (options: KillerOptions): Promise<{ stop(): Promise<number | null> }> => {
  const { gate, journal, random, lifeMs } = options
  const known = new Set<string>()
  let kills = 0
  for (let life = 2; ; life += 1) {
    journal.write({ event: 'started', life })
    const server = options.start(life)
    const isLast = kills >= options.kills || performance.now() >= options.untilMs
    const moment = lifeMs === null ? chooseMoment(random) : ({ when: 'serving', ms: lifeMs } as const)
    if (!isLast && moment.when === 'starting') await after(moment.ms)
    else {
      gate.open({ url: await server.listening, life })
      journal.write({ event: 'listening', life })
      if (!isLast) await after(moment.ms)
    }
    if (isLast) return { stop: () => endInPeace(server, life, journal) }
    journal.write({ event: 'killed', life })
    const killed = server.kill()
    gate.shut()
    await killed
    kills += 1
    const rows = await settledRows(options.dataDir)
    journal.write({ event: 'settled', life, rows: rows.filter(([requestId]) => !known.has(requestId)) })
    for (const [requestId] of rows) known.add(requestId)
    options.onKill(kills)
  }
}

/** Some lives end during startup, many are short, and some outlast a round of progress checkpoints. */
const chooseMoment = (random: Random): { when: 'starting' | 'serving'; ms: number } => {
  const life = random.pick({ starting: 12, short: 53, long: 35 })
  if (life === 'starting') return { when: 'starting', ms: random.integer(0, 500) }
  return { when: 'serving', ms: life === 'short' ? random.integer(0, 700) : random.integer(1400, 3000) }
}

const endInPeace = async (server: Server, life: number, journal: Journal<KillerEntry>): Promise<number | null> => {
  const code = await server.stop()
  journal.write({ event: 'stopped', life, code })
  return code
}
