import { openFloodedServer } from './flood-server.ts'
import { report } from './measure.ts'
import { measureFlood } from './measure-flood.ts'

/**
 * How long an organisation waits for its first token while another floods the server, against the same on an idle server in
 * the same run. First with an engine that answers by the clock, which leaves the share of the queue alone, then with the
 * real model, whose speed is shared as well.
 */
const mostRatio = 2
const limitMs = 540_000
const signal = AbortSignal.timeout(limitMs)

const byClock = { rounds: 5, probes: 3, inFlight: 24, promptWords: 20, floodTokens: 100 }
const byModel = { rounds: 3, probes: 2, inFlight: 12, promptWords: 100, floodTokens: 64 }

const measure = async (engine: 'scripted' | 'model', load: typeof byClock) => {
  const server = await openFloodedServer(engine)
  try {
    return await measureFlood(server, load, signal)
  } finally {
    await server.close()
  }
}

const scripted = await measure('scripted', byClock)
const model = await measure('model', byModel)
report({
  bench: 'flood',
  ratio: model.ratio,
  target: `first token within ${mostRatio} times that of an idle server, with the model and without`,
  met: model.ratio.median <= mostRatio && scripted.ratio.median <= mostRatio,
  rounds: byModel.rounds,
  figures: { model, scripted },
})
