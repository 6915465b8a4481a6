import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measureFloodMemory, memoryFloods } from './flood-memory.ts'
import { openFloodedServer } from './flood-server.ts'
import { report, spreadOf } from './measure.ts'
import { measureFlood } from './measure-flood.ts'
import { measureTurns, type TurnsScene } from './measure-turns.ts'

/**
 * Measures an organisation's time to first token while another floods the server, against an idle server in the same
 * run. The first part uses an engine with fixed timing, which isolates queue fairness; the second uses the model, whose
 * speed the requests also share. Then two accounts use every slot of the model with answers of thousands of tokens, or with
 * answers that nobody reads, and a third one asks something. At last, the memory of the server a minute after floods of large
 * requests is compared with that before. `--part=scripted`, `model`, `streams`, `unread` or `memory`: only that.
 * `--rounds=1`: fewer rounds. With the model a round takes about ten seconds, which the load and slow cores make longer.
 */
const maxRatio = 2
const limitMs = 540_000

const loads = {
  scripted: { rounds: 5, probes: 3, inFlight: 24, promptWords: 20, floodTokens: 100 },
  model: { rounds: 3, probes: 2, inFlight: 8, promptWords: 100, floodTokens: 48 },
}

const { values } = parseArgs({ options: { part: { type: 'string' }, rounds: { type: 'string' } } })
/** As many as were asked for, or those of the part. */
const roundsOf = (load: { rounds: number }): number => Number(values.rounds ?? load.rounds)

const measure = async (engine: keyof typeof loads): Promise<void> => {
  const load = { ...loads[engine], rounds: roundsOf(loads[engine]) }
  const server = await openFloodedServer(engine)
  try {
    const { ratio, ...figures } = await measureFlood(server, load, AbortSignal.timeout(limitMs))
    report({
      bench: 'flood',
      ratio,
      target: `first token within ${maxRatio} times that of an idle server`,
      met: ratio.median <= maxRatio,
      rounds: load.rounds,
      figures: { engine, load, ...figures },
    })
  } finally {
    await server.close()
  }
}

const turnsLoad = { rounds: 3, probes: 3, promptWords: 20 }
const maxFirstTokenMs = 5000

const measureScene = async (scene: TurnsScene): Promise<void> => {
  const load = { ...turnsLoad, rounds: roundsOf(turnsLoad) }
  const server = await openFloodedServer('model')
  try {
    const { ratio, ...figures } = await measureTurns(server, scene, load, AbortSignal.timeout(limitMs))
    report({
      bench: 'flood',
      ratio,
      target: `first token of a third account within ${maxFirstTokenMs / 1000} s`,
      met: figures.slowestMs <= maxFirstTokenMs,
      rounds: load.rounds,
      figures: { engine: 'model', scene, load, loadAverage: loadavg(), ...figures },
    })
  } finally {
    await server.close()
  }
}

const maxMemoryRatio = 1.5
const memoryFloodMs = 10_000

const measureMemory = async (): Promise<void> => {
  for (const flood of memoryFloods) {
    const { ratio, ...figures } = await measureFloodMemory(flood, memoryFloodMs, AbortSignal.timeout(limitMs))
    report({
      bench: 'flood',
      ratio: spreadOf([ratio]),
      target: `memory a minute after a flood within ${maxMemoryRatio} times that of the idle server`,
      met: ratio <= maxMemoryRatio,
      rounds: 1,
      figures: { flood, seconds: memoryFloodMs / 1000, loadAverage: loadavg(), ...figures },
    })
  }
}

const parts = {
  scripted: () => measure('scripted'),
  model: () => measure('model'),
  streams: () => measureScene('streams'),
  unread: () => measureScene('unread'),
  memory: measureMemory,
}
for (const [name, run] of Object.entries(parts)) if (values.part === undefined || values.part === name) await run()
