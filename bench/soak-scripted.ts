import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { claimServer, signUp } from '../test/harness/browser-session.ts'
import { answerMixed, runMixedLoad } from '../test/harness/mixed-load.ts'
import { openHelix } from '../test/harness/start-helix.ts'
import { report, spreadOf } from './measure.ts'

const maxRatio = 1.05
const limitMs = 180_000

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const liveHeapBytes = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/**
 * Mixed requests of two organisations against the scripted engine, many abandoned by their clients: afterwards every
 * slot is free and the queue is empty. The ratio compares the live heap of server and clients at the end with that after
 * a first part of as many requests.
 */
export const soakScripted = async (requests: number): Promise<void> => {
  const helix = await openHelix({ engine: { slots: 4 }, answer: answerMixed, config: { queueLimit: 20 } })
  const deadline = setTimeout(() => {
    console.error(`The bench did not end within ${limitMs} ms.`)
    process.exit(1)
  }, limitMs)
  try {
    const owner = await claimServer(helix)
    const other = await signUp(helix.url, 'other@example.com')
    const keys = [helix.key, helix.key, other.firstKey.key]
    const runOnce = async (seed: number) => {
      const startedMs = performance.now()
      const outcomes = await runMixedLoad({ url: helix.url, keys, requests, concurrency: 24, seed })
      return { outcomes, seconds: (performance.now() - startedMs) / 1000, heapBytes: liveHeapBytes() }
    }
    const look = async () => {
      const shown = (await (await owner.get('/admin/engine')).json()) as { slots: { running: number; waiting: number } }
      return { active: helix.engine.active(), running: shown.slots.running, waiting: shown.slots.waiting }
    }
    const first = await runOnce(1)
    const second = await runOnce(2)
    // The server notices the last disconnected clients a moment later.
    let left = await look()
    for (let turn = 0; turn < 50 && left.active + left.running + left.waiting > 0; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      left = await look()
    }
    const ratio = spreadOf([second.heapBytes / first.heapBytes])
    const isEmpty = left.active + left.running + left.waiting === 0
    report({
      bench: 'soak',
      ratio,
      target: `no slot in use and nobody waiting at the end, and at most ${maxRatio} times the heap`,
      met: isEmpty && ratio.median <= maxRatio,
      rounds: 1,
      figures: {
        engine: 'scripted',
        left,
        outcomes: second.outcomes,
        requestsPerSecond: Math.round(requests / second.seconds),
        heapMegabytes: [first, second].map(({ heapBytes }) => Math.round(heapBytes / 1e6)),
      },
    })
  } finally {
    clearTimeout(deadline)
    await helix.close()
  }
}
