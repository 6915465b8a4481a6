import { expect, test } from 'vitest'
import { talk } from '../../test/harness/engine-request.ts'
import { openLoadableEngine, type ScriptedLoad } from '../../test/harness/loadable-engine.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import type { ApiError } from '../base/api-error.ts'
import { createQueue } from './create-queue.ts'
import { LoadableModel, type LoadableModelOptions } from './loadable-model.ts'
import { createMemoryBudget } from './memory-budget.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const queueSettings = {
  ...{ queueLimit: 100, organisationQueueLimit: null, queueTimeoutMs: 1000 },
  ...{ organisationWeights: [], reservedSlots: 1 },
}
const never = new AbortController().signal
const idleMs = 60_000

const setUp = (overrides: Partial<LoadableModelOptions> = {}) => {
  const clock = createManualClock()
  const budget = overrides.budget ?? createMemoryBudget(1000)
  const opened: ScriptedLoad[] = []
  const waiting: ((engine: ScriptedLoad) => void)[] = []
  const create = (id = 'm', more: Partial<LoadableModelOptions> = {}): LoadableModel =>
    new LoadableModel({
      model: {
        ...{ id, created: 1, ownedBy: 'test', contextTokens: 100 },
        ...{ vocabularyTokens: null, features: null },
      },
      kind: 'chat',
      slots: 4,
      queue: createQueue(4, queueSettings, clock),
      diskBytes: 10,
      memory: { weights: 100, cache: 0, buffers: 0 },
      idleMs,
      failure: null,
      waitingLimit: 10,
      openEngine() {
        const engine = openLoadableEngine({ id })
        opened.push(engine)
        waiting.shift()?.(engine)
        return engine
      },
      budget,
      clock,
      log: quiet,
      ...overrides,
      ...more,
    })
  /** The next engine that is opened. */
  const nextEngine = (): Promise<ScriptedLoad> => new Promise((resolve) => waiting.push(resolve))
  /** The engine that the call opens, loaded. */
  const loaded = async (model: LoadableModel) => {
    const engine = nextEngine()
    const use = model.use(never)
    ;(await engine).ready()
    return { engine: await engine, use: await use }
  }
  return { clock, opened, create, nextEngine, loaded }
}

const codeOf = (use: Promise<unknown>): Promise<string> =>
  use.then(
    () => 'none',
    (error: ApiError) => error.errorName,
  )

test('it is loaded by the first request, which waits for it', async () => {
  const { create, opened, loaded } = setUp()
  const model = create()
  expect(model.status()).toEqual({ state: 'unloaded', reason: null, memory: null, process: null, diskBytes: 10 })
  expect(opened).toHaveLength(0)
  const { engine, use } = await loaded(model)
  expect(use.engine).toBe(engine)
  expect(model.status()).toMatchObject({ state: 'ready', memory: { weights: 100 } })
})

test('requests that arrive while it loads share the load', async () => {
  const { create, opened, nextEngine } = setUp()
  const model = create()
  const engine = nextEngine()
  const uses = [1, 2, 3].map(() => model.use(never))
  const first = await engine
  expect(model.status().state).toBe('loading')
  const late = model.use(never)
  first.ready()
  for (const use of [...uses, late]) expect((await use).engine).toBe(first)
  expect(opened).toHaveLength(1)
})

test('a request that is aborted while it loads ends at once; the load continues for the others', async () => {
  const { clock, create, opened, nextEngine } = setUp()
  const model = create()
  const engine = nextEngine()
  const leaver = new AbortController()
  const left = model.use(leaver.signal)
  const stays = model.use(never)
  await engine
  leaver.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  ;(await engine).ready()
  const { release } = await stays
  // The aborted request no longer counts: the model becomes idle with the other one.
  release()
  clock.advance(idleMs)
  expect(model.status().state).toBe('unloaded')
  expect(opened).toHaveLength(1)
})

test('if all requests are aborted while it loads, it is unloaded after the idle time', async () => {
  const { clock, create, nextEngine } = setUp()
  const model = create()
  const engine = nextEngine()
  const leaver = new AbortController()
  const left = model.use(leaver.signal)
  leaver.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  const ready = clock.awaited(idleMs)
  ;(await engine).ready()
  await ready
  clock.advance(idleMs)
  expect((await engine).isClosed()).toBe(true)
})

test('only so many requests wait while it loads', async () => {
  const { create, nextEngine } = setUp({ waitingLimit: 2 })
  const model = create()
  const engine = nextEngine()
  const uses = [model.use(never), model.use(never)]
  expect(await codeOf(model.use(never))).toBe('queue_full')
  ;(await engine).ready()
  await Promise.all(uses)
  expect(await codeOf(model.use(never))).toBe('none')
})

test('it is unloaded when it was idle for long enough, never during a request', async () => {
  const { clock, create, opened, loaded } = setUp()
  const model = create()
  const { engine, use } = await loaded(model)
  clock.advance(10 * idleMs)
  expect(engine.isClosed()).toBe(false)
  use.release()
  use.release()
  clock.advance(idleMs - 1)
  const again = await model.use(never)
  clock.advance(10 * idleMs)
  expect(engine.isClosed()).toBe(false)
  again.release()
  clock.advance(idleMs)
  expect(engine.isClosed()).toBe(true)
  expect(model.status()).toMatchObject({ state: 'unloaded', memory: null })
  // What is known of the model stays known.
  expect(model.model.features).not.toBeNull()
  await loaded(model)
  expect(opened).toHaveLength(2)
})

test('the default model is not unloaded when idle; without an idle time no model is', async () => {
  const { clock, create, loaded } = setUp()
  const main = create('main')
  main.setDefault(true)
  const kept = create('kept', { idleMs: null })
  for (const model of [main, kept]) (await loaded(model)).use.release()
  clock.advance(1000 * idleMs)
  expect([main.status().state, kept.status().state]).toEqual(['ready', 'ready'])
  main.setDefault(false)
  clock.advance(idleMs)
  expect(main.status().state).toBe('unloaded')
})

test('another model makes the least recently used idle one leave, the default model last', async () => {
  const { clock, create, loaded } = setUp({ budget: createMemoryBudget(300) })
  const models = ['main', 'a', 'b'].map((id) => create(id))
  const [main, a, b] = models
  main?.setDefault(true)
  for (const model of models) {
    ;(await loaded(model)).use.release()
    clock.advance(1)
  }
  ;(await a?.use(never))?.release()
  const c = await loaded(create('c'))
  expect([main, a, b].map((model) => model?.status().state)).toEqual(['ready', 'ready', 'unloaded'])
  await loaded(create('d'))
  expect([main, a, b].map((model) => model?.status().state)).toEqual(['ready', 'unloaded', 'unloaded'])
  await loaded(create('e'))
  expect(main?.status().state).toBe('unloaded')
  expect(c.engine.isClosed()).toBe(false)
})

test('while all others are in use, a model that does not fit is refused for now', async () => {
  const { create, loaded } = setUp({ budget: createMemoryBudget(150) })
  const busy = await loaded(create('busy'))
  const model = create('next')
  expect(await codeOf(model.use(never))).toBe('model_memory_short')
  expect(model.status()).toMatchObject({ state: 'unloaded', reason: null })
  expect(busy.engine.isClosed()).toBe(false)
  busy.use.release()
  await loaded(model)
  expect(busy.engine.isClosed()).toBe(true)
})

test('a model that can never fit is refused with the arithmetic', async () => {
  const { create, opened } = setUp({ budget: createMemoryBudget(1_000_000_000) })
  const memory = { weights: 4_000_000_000, cache: 500_000_000, buffers: 300_000_000 }
  const model = create('large', { memory })
  expect(await codeOf(model.use(never))).toBe('model_unavailable')
  expect(model.status()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining(
      'needs 4.8 GB of memory (4.0 GB of weights, 0.5 GB of cache and 0.3 GB of buffers)',
    ),
  })
  expect(opened).toHaveLength(0)
})

test('a model whose weights are refused fails, and gives its memory back', async () => {
  const { create, opened, nextEngine, loaded } = setUp({ budget: createMemoryBudget(100) })
  const model = create('damaged')
  const engine = nextEngine()
  const use = model.use(never)
  ;(await engine).refuse('weights.gguf is damaged')
  expect(await codeOf(use)).toBe('model_unavailable')
  expect(model.status()).toMatchObject({ state: 'failed', reason: 'weights.gguf is damaged', memory: null })
  expect(await codeOf(model.use(never))).toBe('model_unavailable')
  expect(opened).toHaveLength(1)
  expect((await engine).isClosed()).toBe(true)
  await loaded(create('other'))
})

test('a model whose files cannot be read has failed from the start', async () => {
  const { create, opened } = setUp()
  const model = create('missing', { failure: 'missing.gguf is missing' })
  expect(model.status()).toMatchObject({ state: 'failed', reason: 'missing.gguf is missing' })
  expect(await codeOf(model.use(never))).toBe('model_unavailable')
  await model.preload()
  expect(opened).toHaveLength(0)
})

test('at the start of the server requests do not wait for the default model', async () => {
  const { create, nextEngine } = setUp()
  const model = create()
  const engine = nextEngine()
  const started = model.start()
  expect((await engine).state()).toBe('loading')
  const { engine: used, release } = await model.use(never)
  release()
  await expect(used.prepare(talk('Hi'), never)).rejects.toMatchObject({ errorName: 'engine_loading' })
  ;(await engine).ready()
  expect(await started).toBeNull()
})

test('a removed model ends its requests first', async () => {
  const { create, loaded } = setUp()
  const model = create()
  const { engine, use } = await loaded(model)
  const removed = model.remove()
  expect(engine.isClosed()).toBe(false)
  use.release()
  await removed
  expect(engine.isClosed()).toBe(true)
  expect(await codeOf(model.use(never))).toBe('model_not_found')
})

test('closing ends a load, and requests that wait for it', async () => {
  const { create, nextEngine } = setUp()
  const model = create()
  const engine = nextEngine()
  const use = model.use(never)
  await engine
  await model.close()
  expect(await codeOf(use)).toBe('shutting_down')
  expect(await codeOf(model.use(never))).toBe('shutting_down')
  expect((await engine).isClosed()).toBe(true)
})

test('after a crash requests are refused while it restarts, as with any engine', async () => {
  const { create, loaded } = setUp()
  const model = create()
  const { engine } = await loaded(model)
  engine.setState('loading')
  expect(model.status().state).toBe('loading')
  expect((await model.use(never)).engine).toBe(engine)
})
