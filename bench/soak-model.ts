import { claimServer, signUp } from '../test/harness/browser-session.ts'
import { askProbe, type ModelOutcomes, type Probe, runModelLoad } from '../test/harness/model-load.ts'
import { openGarbageCollection } from './garbage-collection.ts'
import { launchHelix } from './launch-helix.ts'
import { median, report, type Spread, spreadOf } from './measure.ts'
import { decodeSpeed, measureAnswer } from './measure-streams.ts'
import { rssBytes } from './process-memory.ts'
import { newRailwayQuestion } from './railway-question.ts'
import { atMost, reportPart } from './report-part.ts'
import type { ChatServer } from './stream-chat.ts'

const slots = 8
const concurrency = 16
const maxTokens = 12
/** No new requests after this time; what runs then is finished. */
const loadLimitMs = 630_000
const limitMs = 720_000
const maxRssRatio = 1.05
/** Before the first measurement of memory, so that compiled code, buffers and caches have their size. */
const warmUpShare = 0.2

const questions = [
  ...['What is the capital of France?', 'Name three colours.', 'Why is the sky blue?', 'Who wrote Hamlet?'],
  ...['水は何度で凍りますか。', '日本で一番高い山は何ですか。', 'What is 12 times 12?', 'Name a fruit that is yellow.'],
  ...['Write one sentence about winter.', 'What do bees make?', 'How many days has a week?', 'Say hello in Spanish.'],
]

/**
 * The real program and the model: mixed requests of two organisations, a third of whose clients disconnect at random
 * moments. Afterwards no slot is in use, every slot works, no process has grown, and answers at temperature 0 given
 * among other requests are compared with those of a single stream.
 */
export const soakModel = async (requests: number): Promise<void> => {
  const startedMs = performance.now()
  const signal = AbortSignal.timeout(limitMs)
  const garbage = await openGarbageCollection()
  const helix = await launchHelix(signal, {
    ...garbage.environment,
    HELIX_ENGINE_SLOTS: String(slots),
    HELIX_CONTEXT_TOKENS: '2048',
    // A slow machine must show in the result, not cause refusals.
    HELIX_QUEUE_TIMEOUT_MS: '600000',
    HELIX_SIGN_UPS_PER_HOUR: '100',
  })
  try {
    const enginePid = await helix.engineReady()
    const owner = await claimServer({ server: { url: helix.url, claimUrl: await helix.claimUrl() } })
    const other = await signUp(helix.url, 'other@example.com')
    const probes: Probe[] = []
    for (const content of questions) probes.push({ content, answer: await askProbe(helix, content) })

    const keys = [helix.key, owner.firstKey.key, other.firstKey.key]
    const isOver = () => performance.now() - startedMs > loadLimitMs
    const run = (count: number, seed: number) =>
      runModelLoad({ url: helix.url, keys, requests: count, concurrency, seed, maxTokens, probes, isOver })
    const measure = async (): Promise<Memory> => {
      const rss = await measureRss({ engine: enginePid, server: helix.pid })
      await garbage.collect(helix.pid)
      return { rss, serverCollected: (await measureRss({ engine: enginePid, server: helix.pid })).server }
    }
    const warmUp = await run(Math.ceil(requests * warmUpShare), 1)
    const before = await measure()
    const soakedMs = performance.now()
    const outcomes = await run(requests, 2)
    const seconds = (performance.now() - soakedMs) / 1000
    const inUse = await waitUntilIdle(async () => {
      const { slots } = (await (await owner.get('/admin/engine')).json()) as {
        slots: { running: number; waiting: number }
      }
      return slots.running + slots.waiting
    })
    const after = await measure()
    reportMemory(before, after)
    const callers: ChatServer[] = [helix]
    while (callers.length < slots) {
      const { firstKey } = await signUp(helix.url, `slot-${callers.length}@example.com`)
      callers.push({ ...helix, key: firstKey.key })
    }
    const works = await allSlotsWork(callers, signal)
    reportOutcomes({ requests, warmUp, outcomes, seconds, inUse, allSlotsWork: works })
  } finally {
    await helix.close()
    await garbage.close()
  }
}

type Rss = Record<'engine' | 'server', number>
type Memory = {
  rss: Rss
  /**
   * RSS of the server after it has collected all garbage. Under load, V8 enlarges its space for new objects several times and leaves
   * garbage among the old ones for long, so before a collection RSS also says how far it has come with that.
   */
  serverCollected: number
}

/** The median of several moments; both processes are idle. */
const measureRss = async ({ engine, server }: Rss): Promise<Rss> => {
  const seen: Record<keyof Rss, number[]> = { engine: [], server: [] }
  for (let moment = 0; moment < 15; moment += 1) {
    await pause(200)
    seen.engine.push((await rssBytes(engine)) ?? Number.NaN)
    seen.server.push((await rssBytes(server)) ?? Number.NaN)
  }
  return { engine: median(seen.engine), server: median(seen.server) }
}

/** The server notices the last disconnected clients a moment later. Returns what is still in use after ten seconds. */
const waitUntilIdle = async (countInUse: () => Promise<number>): Promise<number> => {
  let inUse = await countInUse()
  for (let turn = 0; turn < 100 && inUse > 0; turn += 1) {
    await pause(100)
    inUse = await countInUse()
  }
  return inUse
}

/**
 * As many streams as slots generate at the same time, each of another owner: one that has a stream already may not use
 * the slot that is kept for others.
 */
const allSlotsWork = async (callers: readonly ChatServer[], signal: AbortSignal): Promise<boolean> => {
  const asked = callers.map((server) => ({ server, question: newRailwayQuestion(32) }))
  const ask = () => Promise.all(asked.map(({ server, question }) => measureAnswer(server, question, signal)))
  // The first time reads the prompts one after another.
  await ask()
  return decodeSpeed(await ask()) > 0
}

const inMegabytes = (bytes: number): number => Math.round(bytes / 1e6)

const reportMemory = (before: Memory, after: Memory): void => {
  reportPart({
    bench: 'soak',
    part: 'RSS of the engine process in MB after the load, against after the warm-up',
    ratio: spreadOf([after.rss.engine / before.rss.engine]),
    target: atMost(maxRssRatio),
    rounds: 1,
    figures: { before: inMegabytes(before.rss.engine), after: inMegabytes(after.rss.engine) },
  })
  reportPart({
    bench: 'soak',
    part: 'RSS of the server process in MB after the load, against after the warm-up, each after collecting garbage',
    ratio: spreadOf([after.serverCollected / before.serverCollected]),
    target: atMost(maxRssRatio),
    rounds: 1,
    figures: {
      before: inMegabytes(before.serverCollected),
      after: inMegabytes(after.serverCollected),
      beforeUncollected: inMegabytes(before.rss.server),
      afterUncollected: inMegabytes(after.rss.server),
    },
  })
}

type Soaked = {
  requests: number
  warmUp: ModelOutcomes
  outcomes: ModelOutcomes
  seconds: number
  inUse: number
  allSlotsWork: boolean
}

const reportOutcomes = ({ requests, warmUp, outcomes, seconds, inUse, allSlotsWork }: Soaked): void => {
  const sent = outcomes.answered + outcomes.left + outcomes.failed
  const failed = warmUp.failed + outcomes.failed
  const same = warmUp.probes.same + outcomes.probes.same
  const different = warmUp.probes.different + outcomes.probes.different
  const ratio: Spread = spreadOf([different / (same + different)], 4)
  report({
    bench: 'soak',
    ratio,
    target:
      'all requests sent, none failed, no slot in use, all slots work; no answer differs from that of a single stream',
    met: sent === requests && failed === 0 && inUse === 0 && allSlotsWork && different === 0,
    rounds: 1,
    figures: {
      part: 'share of answers at temperature 0 that differ from those of a single stream',
      engine: 'model',
      ...{ requests: sent, inUse, allSlotsWork, failed, probes: { same, different } },
      outcomes: { answered: outcomes.answered, left: outcomes.left },
      problems: [...warmUp.problems, ...outcomes.problems],
      requestsPerSecond: Number((sent / seconds).toFixed(2)),
    },
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
