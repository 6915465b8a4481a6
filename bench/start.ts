import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { launchHelix } from './launch-helix.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { askChat, readTexts } from './stream-chat.ts'

/**
 * Time from process start to the first streamed token over HTTP, against the minimum that llama.cpp needs from Node: a
 * script that loads the same weights into the same context and generates one token. Only the service also verifies the
 * weights' checksums. One unmeasured round warms the disk cache.
 */
const rounds = 7
const limitMs = 300_000

const signal = AbortSignal.timeout(limitMs)
type Phases = { listeningMs: number; engineReadyMs: number }
const phases: Phases[] = []

/** Sends the request when the log says `engine_ready`: polling would take CPU from the loading. */
const measureHelix = async (): Promise<number> => {
  const helix = await launchHelix(signal)
  try {
    phases.push({
      listeningMs: await helix.reachedMs('listening'),
      engineReadyMs: await helix.reachedMs('engine_ready'),
    })
    const answer = await askChat(helix, { content: 'Hello!', maxTokens: 4 }, signal)
    for await (const _ of readTexts(answer)) return performance.now() - helix.startedMs
    throw new Error('the answer was empty')
  } finally {
    await helix.close()
  }
}

/** Ends at the script's first output, which it writes once it has its token. */
const measureDirect = async (): Promise<number> => {
  const startedMs = performance.now()
  const script = fileURLToPath(new URL('./start-direct.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { signal, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data', { signal }), exited.then(failToAnswer)])
  const firstTokenMs = performance.now() - startedMs
  await exited
  return firstTokenMs
}

const failToAnswer = (): never => {
  throw new Error('the reference ended without a token')
}

const turns = { direct: measureDirect, helix: measureHelix }
await takeTurns(1, turns)
phases.length = 0
const { direct, helix } = await takeTurns(rounds, turns)

const inSeconds = (valuesMs: number[]) => spreadOf(valuesMs.map((ms) => ms / 1000))
const seconds = inSeconds(helix)
report({
  bench: 'start',
  ratio: ratioSpread(helix, direct),
  target: 'seconds < 4',
  met: seconds.median < 4,
  rounds,
  figures: {
    seconds,
    directSeconds: inSeconds(direct),
    listeningAfterSeconds: inSeconds(phases.map(({ listeningMs }) => listeningMs)),
    engineReadyAfterSeconds: inSeconds(phases.map(({ engineReadyMs }) => engineReadyMs)),
  },
})
