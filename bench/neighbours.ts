import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { ratioSpread, report, spreadOf } from './measure.ts'
import type { AttackOrder, AttackReport } from './neighbours-attacker.ts'
import { type AttackName, attacks } from './neighbours-attacks.ts'
import type { NeighbourServer } from './neighbours-server.ts'

/**
 * How much its neighbours slow a stream: the 99th percentile of the gap between tokens during each attack, against the
 * same while the attacker sends as many cheap, refused requests. The server, the attacker and the stream reader are
 * separate processes; the engine emits a token every ten milliseconds. `--upstream` puts upstreams in processes of their own
 * in its place. `--attack=NAME` runs only that attack.
 */
const rounds = 3
const durationMs = 4000
/** After an attack the server still has buffered input to read. */
const restMs = 1500
const limitMs = 600_000
const mostRatio = 1.5
const mostMoreMs = 20

const signal = AbortSignal.timeout(limitMs)
const { values } = parseArgs({ options: { upstream: { type: 'boolean' }, attack: { type: 'string' } } })
const options = values.upstream === true ? ['--upstream'] : []
const start = (file: URL): ChildProcess =>
  fork(file, options, { signal, execArgv: ['--disable-warning=ExperimentalWarning'] })
const heard = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message', { signal }))[0]

const children = {
  server: start(new URL('./neighbours-server.ts', import.meta.url)),
  victim: start(new URL('./neighbours-victim.ts', import.meta.url)),
  attacker: start(new URL('./neighbours-attacker.ts', import.meta.url)),
}

const takeGaps = async (): Promise<number[]> => {
  const told = heard(children.victim)
  children.victim.send('gaps')
  return (await told) as number[]
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, restMs))

const measure = async (server: NeighbourServer, name: AttackName, cheap: boolean) => {
  await rest()
  const ready = heard(children.attacker)
  const order: AttackOrder = { server, name, cheap, durationMs }
  children.attacker.send(order)
  await ready
  await takeGaps()
  const answers = (await heard(children.attacker)) as AttackReport
  const gapsMs = await takeGaps()
  // A stream that stalled for the whole period has no gap yet.
  return { p99Ms: gapsMs.length === 0 ? durationMs : percentile(gapsMs, 0.99), answers }
}

const measureAttack = async (server: NeighbourServer, name: AttackName) => {
  const [attackMs, controlMs]: [number[], number[]] = [[], []]
  let answers: AttackReport = {}
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [true, false] : [false, true]
    for (const cheap of order) {
      const measured = await measure(server, name, cheap)
      ;(cheap ? controlMs : attackMs).push(measured.p99Ms)
      if (!cheap) answers = measured.answers
    }
  }
  const ratio = ratioSpread(attackMs, controlMs)
  const moreMs = spreadOf(attackMs.map((ms, round) => ms - (controlMs[round] ?? Number.NaN)))
  return {
    ratio,
    moreMs,
    met: ratio.median <= mostRatio || moreMs.median <= mostMoreMs,
    p99Ms: spreadOf(attackMs),
    controlP99Ms: spreadOf(controlMs),
    answers,
  }
}

const isAttack = (name: string): name is AttackName => name in attacks
const names = Object.keys(attacks).filter(
  (name) => isAttack(name) && (values.attack === undefined || values.attack === name),
)

try {
  const server = (await heard(children.server)) as NeighbourServer
  children.victim.send({ url: server.url, key: server.victimKey })
  // Excludes V8's compilation on the first request.
  for (const name of names.filter(isAttack)) await measure(server, name, false)
  const results: Partial<Record<AttackName, Awaited<ReturnType<typeof measureAttack>>>> = {}
  for (const name of names.filter(isAttack)) results[name] = await measureAttack(server, name)
  const all = Object.values(results)
  const worst = all.toSorted((a, b) => b.ratio.median - a.ratio.median)[0]
  if (worst === undefined) throw new Error(`There are these attacks: ${Object.keys(attacks).join(', ')}.`)
  report({
    bench: 'neighbours',
    ratio: worst.ratio,
    target: `p99 of the gap within ${mostRatio} times or ${mostMoreMs} ms of the control, for each attack`,
    met: all.every(({ met }) => met),
    rounds,
    figures: { upstream: values.upstream === true, attacks: results },
  })
} finally {
  for (const child of Object.values(children)) if (child.connected) child.disconnect()
}
