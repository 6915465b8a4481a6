import { expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Conversation, Engine, EngineEvent } from '../../engine/contract.ts'
import { UpstreamStatus } from '../../engine/remote/upstream-status.ts'
import type { Upstream } from '../contract.ts'
import { defaultUpstream, defaultUpstreamModel } from '../default-upstream.ts'
import type { PoolEntry } from './pool-member.ts'
import { createUpstreamPool } from './upstream-pool.ts'
import { openUpstreamStates } from './upstream-states.ts'

const never = new AbortController().signal
const end: EngineEvent = { type: 'end', reason: 'stop', promptTokens: 1, cachedTokens: 0, completionTokens: 1 }
const model = { ...defaultUpstreamModel, name: 'ours', upstreamName: 'theirs' }
const upstream = (name: string, more: Partial<Upstream> = {}): Upstream => ({
  ...defaultUpstream,
  ...{ name, baseUrl: `http://${name}.test/v1`, maxInFlight: 2, models: [model] },
  ...more,
})
const entriesOf = (upstreams: readonly Upstream[]) => upstreams.map((one) => ({ upstream: one, model }))

/** A pool over engines whose answers end when the test says so. */
const open = (...upstreams: Upstream[]) => {
  const clock = createManualClock()
  const { log } = createLogCatcher({ clock, format: 'json' })
  /** Names of the upstreams that were asked and of those that were closed, in order. */
  const asked: string[] = []
  const closed: string[] = []
  const widths: number[] = []
  const failures = new Map<string, ApiError>()
  const probes: { name: string; answer(isAlive: boolean): void }[] = []
  const endings: (() => void)[] = []
  const engineOf = ({ upstream: { name }, model: { weightsId } }: PoolEntry): Engine => ({
    model: {
      ...(weightsId === undefined ? {} : { weightsId }),
      ...{ id: 'ours', created: 1, ownedBy: 'test' },
      contextTokens: null,
      vocabularyTokens: null,
      features: null,
    },
    slots: 1,
    state: () => 'ready',
    prepare: async () => ({
      promptTokens: null,
      promptTokenIds: null,
      async *generate() {
        asked.push(name)
        const failure = failures.get(name)
        if (failure !== undefined) throw failure
        await new Promise<void>((resolve) => endings.push(resolve))
        yield { type: 'text', text: name }
        yield end
      },
    }),
    close: async () => void closed.push(name),
  })
  const states = openUpstreamStates({
    ...{ clock, log, random: () => 0 },
    probe: ({ name }) => new Promise((answer) => probes.push({ name, answer })),
  })
  const pool = createUpstreamPool({
    entries: entriesOf(upstreams),
    openEngine: engineOf,
    stateOf: (entry) => states.of(entry.upstream),
    onResize: (slots) => widths.push(slots),
    ...{ clock, log, random: () => 0 },
  })
  const ask = async (conversation: Conversation = talk('Hi')): Promise<string> => {
    const prompt = await pool.prepare(conversation, never)
    let text = ''
    for await (const event of prompt.generate({ ...openSampling, maxTokens: 10 }, never))
      if (event.type === 'text') text += event.text
    return text
  }
  const endOne = async (): Promise<void> => {
    endings.shift()?.()
    await turn()
  }
  return { pool, states, clock, asked, closed, widths, failures, probes, ask, endOne }
}
/** Lets promises that have settled be heard. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const failed = ApiError.of('upstream_failed', {}, { cause: new UpstreamStatus(500) })
const busy = (retryAfterMs: number) =>
  ApiError.of('upstream_busy', {}, { cause: new UpstreamStatus(429, { retryAfterMs }), retryAfterMs })

test('upstreams that have all the requests they may have get no more, and the next waits for a free place', async () => {
  const { asked, ask, endOne } = open(upstream('a'), upstream('b', { maxInFlight: 1 }))
  const answers = Array.from({ length: 4 }, () => ask())
  await turn()
  expect(asked.toSorted()).toEqual(['a', 'a', 'b'])
  await endOne()
  expect(asked).toHaveLength(4)
  for (let index = 0; index < 3; index += 1) await endOne()
  expect(await Promise.all(answers)).toHaveLength(4)
})

test('a free place goes to the owner that has the fewest, not to the one that waits with the most', async () => {
  const { ask, endOne } = open(upstream('a'))
  const ended: string[] = []
  const askAs = (ownerId: string) => ask({ ...talk('Hi'), ownerId }).then(() => void ended.push(ownerId))
  const all = ['flood', 'flood', 'flood', 'flood', 'flood', 'other', 'third'].map(askAs)
  await turn()
  for (let answer = 0; answer < all.length; answer += 1) await endOne()
  await Promise.all(all)
  expect(ended).toEqual(['flood', 'flood', 'other', 'flood', 'third', 'flood', 'flood'])
})

test('a prompt goes to the engine node that has its beginning in the cache, and not once that has other weights', async () => {
  const { pool, asked, ask, endOne } = open(upstream('a'), upstream('b'))
  const prompt = talk('A long prompt. '.repeat(200))
  const askTwo = async (): Promise<void> => {
    const both = [ask(), ask(prompt)]
    await turn()
    await endOne()
    await endOne()
    await Promise.all(both)
  }
  const askAlone = async (): Promise<string | undefined> => {
    const answer = ask(prompt)
    await turn()
    await endOne()
    await answer
    return asked.at(-1)
  }
  await askTwo()
  expect(asked).toEqual(['a', 'b'])
  expect(await askAlone()).toBe('b')
  const changed = (name: string) => ({ upstream: upstream(name), model: { ...model, weightsId: 'other' } })
  pool.setEntries([changed('a'), changed('b')])
  expect(await askAlone()).toBe('a')
})

test('a drained upstream completes what it has and gets nothing new; a removed one is closed after its last answer', async () => {
  const { pool, asked, closed, widths, ask, endOne } = open(upstream('a'), upstream('b'))
  const first = ask()
  await turn()
  const [name = ''] = asked
  const other = name === 'a' ? 'b' : 'a'
  const drained = [upstream(name, { isDraining: true }), upstream(other)]
  pool.setEntries(entriesOf(drained))
  const second = ask()
  await turn()
  expect(asked).toEqual([name, other])
  expect([pool.slots, widths.at(-1)]).toEqual([2, 2])
  pool.setEntries(entriesOf([upstream(other)]))
  expect(closed).toEqual([])
  await endOne()
  expect([await first, closed]).toEqual([name, [name]])
  await endOne()
  expect(await second).toBe(other)
})

test('without an upstream that gets requests, the model is unavailable', async () => {
  const { ask } = open(upstream('a', { isDraining: true }))
  await expect(ask()).rejects.toMatchObject({ errorName: 'model_unavailable' })
})

test('an upstream that fails is left out, and used again after a probe and one request that succeed', async () => {
  const { pool, failures, probes, clock, ask, endOne, states, asked } = open(upstream('a'), upstream('b'))
  failures.set('a', failed)
  for (let index = 0; index < 8; index += 1) {
    const answer = ask()
    await turn()
    await endOne()
    await answer
  }
  expect(states.healthOf('a')).toMatchObject({ state: 'open', reason: 'failures' })
  expect(pool.slots).toBe(2)
  expect(asked.filter((name) => name === 'a')).toHaveLength(3)
  clock.advance(500)
  expect(probes.map(({ name }) => name)).toEqual(['a'])
  probes[0]?.answer(false)
  await turn()
  expect(states.healthOf('a')?.state).toBe('open')
  failures.clear()
  clock.advance(1000)
  probes[1]?.answer(true)
  await turn()
  expect([states.healthOf('a')?.state, pool.slots]).toEqual(['half_open', 3])
  const answers = [ask(), ask(), ask()]
  await turn()
  expect(states.healthOf('a')?.inFlight).toBe(1)
  for (let index = 0; index < 3; index += 1) await endOne()
  await Promise.all(answers)
  expect([states.healthOf('a')?.state, pool.slots]).toEqual(['closed', 4])
})

test('a request waits for the end of a short pause, and is refused with a time for a long one', async () => {
  const { failures, probes, clock, ask, endOne, asked } = open(upstream('a'), upstream('b'))
  failures.set('a', busy(2000)).set('b', busy(2000))
  const waiting = ask()
  await turn()
  expect(asked.toSorted()).toEqual(['a', 'b'])
  failures.clear()
  clock.advance(2000)
  for (const { answer } of probes) answer(true)
  await turn()
  await endOne()
  expect(['a', 'b']).toContain(await waiting)
  expect(asked).toHaveLength(3)
  failures.set('a', busy(30_000)).set('b', busy(30_000))
  await expect(ask()).rejects.toMatchObject({ errorName: 'upstream_busy' })
  await expect(ask()).rejects.toMatchObject({ errorName: 'upstream_busy', options: { retryAfterMs: 30_000 } })
})

test('the turns of a conversation go where its beginning is cached', async () => {
  const { asked, ask, endOne } = open(upstream('a'), upstream('b'), upstream('c'))
  const about = (subject: string) =>
    talk([
      { role: 'system', content: subject.repeat(2000) },
      { role: 'user', content: 'Hi' },
    ])
  for (const subject of ['x', 'y', 'x', 'x', 'y', 'x']) {
    const answer = ask(about(subject))
    await turn()
    await endOne()
    await answer
  }
  expect(new Set([asked[0], asked[2], asked[3], asked[5]]).size).toBe(1)
  expect(asked[4]).toBe(asked[1])
})

test('a pool of one passes on its error, however often it fails', async () => {
  const { failures, asked, ask } = open(upstream('a'))
  failures.set('a', failed)
  for (let index = 0; index < 6; index += 1) await expect(ask()).rejects.toMatchObject({ errorName: 'upstream_failed' })
  expect(asked).toHaveLength(6)
})
