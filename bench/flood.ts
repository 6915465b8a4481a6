import { openFloodedServer } from './flood-server.ts'
import { report } from './measure.ts'
import { measureFlood } from './measure-flood.ts'

/**
 * Measures an organisation's time to first token while another floods the server, against an idle server in the same
 * run. The first part uses an engine with fixed timing, which isolates queue fairness; the second uses the model, whose
 * speed the requests also share.
 */
const mostRatio = 2
const limitMs = 540_000

const loads = {
  scripted: { rounds: 5, probes: 3, inFlight: 24, promptWords: 20, floodTokens: 100 },
  model: { rounds: 3, probes: 2, inFlight: 8, promptWords: 100, floodTokens: 48 },
}

const measure = async (engine: keyof typeof loads): Promise<void> => {
  const load = loads[engine]
  const server = await openFloodedServer(engine)
  try {
    const { ratio, ...figures } = await measureFlood(server, load, AbortSignal.timeout(limitMs))
    report({
      bench: 'flood',
      ratio,
      target: `first token within ${mostRatio} times that of an idle server`,
      met: ratio.median <= mostRatio,
      rounds: load.rounds,
      figures: { engine, load, ...figures },
    })
  } finally {
    await server.close()
  }
}

await measure('scripted')
await measure('model')
