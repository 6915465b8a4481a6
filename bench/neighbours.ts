import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { ratioSpread, report, spreadOf } from './measure.ts'
import type { AttackOrder, AttackReport, Target } from './neighbours-attacker.ts'
import { type AttackName, attacks } from './neighbours-attacks.ts'
import { measureEmbedder } from './neighbours-embedder.ts'
import type { NeighbourServer } from './neighbours-server.ts'
import { measureTemperature } from './neighbours-temperature.ts'
import type { VictimReport } from './neighbours-victim.ts'
import { startPinned } from './start-pinned.ts'

/**
 * How much its neighbours slow a caller: the 99th percentile of the gap between the tokens of a stream, and the 90th of the
 * time to the first token of short requests, during each attack. They are compared with the same while the attacker sends as
 * many cheap, refused requests, and while it sends the bytes of the attack to a process that only discards them. Server,
 * attacker, sink and caller are separate processes; the engine emits a token every ten milliseconds.
 *
 * `--upstream`: upstreams in processes of their own in place of the scripted engine. `--attack=NAME`: only that attack.
 * `--seconds=4` and `--rounds=3` of each measurement. `--server-cpus=0,1` for the server and the sink, `--load-cpus=2-15` for
 * everything else.
 *
 * `--temperature`: instead, a flood at temperature 2 beside a caller of the real model, against one at temperature 0. `--embeds`:
 * instead, 2,048 inputs at a time to an embedding model on this machine (`--embedder=PATH`; by default helix-embed-v1) beside streams.
 */
const { values } = parseArgs({
  options: {
    upstream: { type: 'boolean' },
    temperature: { type: 'boolean' },
    embeds: { type: 'boolean' },
    embedder: { type: 'string' },
    attack: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    'server-cpus': { type: 'string' },
    'load-cpus': { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const durationMs = Number(values.seconds) * 1000
if (values.temperature === true) {
  await measureTemperature({ rounds, durationMs: 2 * durationMs })
  process.exit()
}
if (values.embeds === true) {
  await measureEmbedder({ rounds, durationMs: 2 * durationMs, embedder: values.embedder })
  process.exit()
}
/** After an attack the server still has buffered input to read. */
const restMs = 1500
const max = { control: 1.5, sink: 1.25 }

const names = Object.keys(attacks)
  .filter((name): name is AttackName => name in attacks)
  .filter((name) => values.attack === undefined || values.attack === name)
if (names.length === 0) throw new Error(`There are these attacks: ${Object.keys(attacks).join(', ')}.`)

const signal = AbortSignal.timeout(180_000 + names.length * (3 * rounds + 1) * (durationMs + 10_000))
const { 'server-cpus': serverCpus, 'load-cpus': loadCpus } = values

const startChildren = (isLimited: boolean) => {
  const serverArgs = [
    ...(values.upstream === true ? ['--upstream'] : []),
    ...(isLimited ? ['--limited'] : []),
    ...(loadCpus === undefined ? [] : [`--load-cpus=${loadCpus}`]),
  ]
  return {
    server: startPinned(new URL('./neighbours-server.ts', import.meta.url), serverCpus, serverArgs, { signal }),
    sink: startPinned(new URL('./neighbours-sink.ts', import.meta.url), serverCpus, [], { signal }),
    victim: startPinned(new URL('./neighbours-victim.ts', import.meta.url), loadCpus, [], { signal }),
    attacker: startPinned(new URL('./neighbours-attacker.ts', import.meta.url), loadCpus, [], { signal }),
  }
}
type Children = ReturnType<typeof startChildren>
const heard = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message', { signal }))[0]

const takeReport = async ({ victim }: Children): Promise<VictimReport> => {
  const told = heard(victim)
  victim.send('report')
  return (await told) as VictimReport
}

/** A stream that stalled for the whole period has no gap yet, and a request that waits for its first token none. */
const percentile = (sample: readonly number[], share: number): number =>
  sample.toSorted((a, b) => a - b)[Math.ceil(sample.length * share) - 1] ?? durationMs

type Started = { children: Children; servers: { server: NeighbourServer; sinkUrl: string } }

const measure = async ({ children, servers }: Started, name: AttackName, to: Target) => {
  await new Promise((resolve) => setTimeout(resolve, restMs))
  const ready = heard(children.attacker)
  const order: AttackOrder = { ...servers, name, to, durationMs }
  children.attacker.send(order)
  await ready
  await takeReport(children)
  const answers = (await heard(children.attacker)) as AttackReport
  const { gapsMs, firstTokensMs } = await takeReport(children)
  return { gapMs: percentile(gapsMs, 0.99), firstTokenMs: percentile(firstTokensMs, 0.9), answers }
}

const orders: Target[][] = [
  ['control', 'attack', 'sink'],
  ['sink', 'attack', 'control'],
]

const measureAttack = async (started: Started, name: AttackName) => {
  const measured = { attack: [], control: [], sink: [] } as Record<Target, Awaited<ReturnType<typeof measure>>[]>
  for (let round = 0; round < rounds; round += 1)
    for (const to of orders[round % 2] ?? []) measured[to].push(await measure(started, name, to))
  const compare = (figure: 'gapMs' | 'firstTokenMs') => {
    const of = (to: Target): number[] => measured[to].map((one) => one[figure])
    const ratio = { control: ratioSpread(of('attack'), of('control')), sink: ratioSpread(of('attack'), of('sink')) }
    const met = ratio.control.median <= max.control && ratio.sink.median <= max.sink
    return {
      ratio,
      met,
      ms: { attack: spreadOf(of('attack')), control: spreadOf(of('control')), sink: spreadOf(of('sink')) },
    }
  }
  return { gapP99: compare('gapMs'), firstTokenP90: compare('firstTokenMs'), answers: measured.attack.at(-1)?.answers }
}

const results: Partial<Record<AttackName, Awaited<ReturnType<typeof measureAttack>>>> = {}

/** On a server of their own, which has its limits on refused requests or not. */
const measureAttacks = async (of: readonly AttackName[], isLimited: boolean): Promise<void> => {
  if (of.length === 0) return
  const children = startChildren(isLimited)
  try {
    const [server, sinkUrl] = await Promise.all([heard(children.server), heard(children.sink)])
    const started = { children, servers: { server: server as NeighbourServer, sinkUrl: String(sinkUrl) } }
    const { url, victimKey: key } = started.servers.server
    children.victim.send({ url, key })
    // Excludes V8's compilation on the first request.
    for (const name of of) await measure(started, name, 'attack')
    for (const name of of) {
      const result = await measureAttack(started, name)
      results[name] = result
      console.error(name, JSON.stringify(result))
    }
  } finally {
    for (const child of Object.values(children)) if (child.connected) child.disconnect()
  }
}

await measureAttacks(
  names.filter((name) => attacks[name].isLimited !== true),
  false,
)
await measureAttacks(
  names.filter((name) => attacks[name].isLimited === true),
  true,
)
const all = Object.values(results).flatMap(({ gapP99, firstTokenP90 }) => [gapP99, firstTokenP90])
const worst = all.toSorted((a, b) => b.ratio.control.median - a.ratio.control.median)[0]
report({
  bench: 'neighbours',
  ratio: worst?.ratio.control ?? null,
  target: `gap and first token within ${max.control} times the control and ${max.sink} times the sink, for each attack`,
  met: all.every(({ met }) => met),
  rounds,
  figures: {
    upstream: values.upstream === true,
    serverCpus: serverCpus ?? 'all',
    loadCpus: loadCpus ?? 'all',
    seconds: durationMs / 1000,
    loadAverage: loadavg(),
    attacks: results,
  },
})
