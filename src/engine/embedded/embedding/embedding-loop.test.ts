import { expect, test } from 'vitest'
import { type EmbeddingEvent, EmbeddingLoop } from './embedding-loop.ts'

/** The vector of an input is its first token and its length. */
const openLoop = (onStep: (inputs: readonly Uint32Array[]) => void = () => {}) => {
  const events: EmbeddingEvent[] = []
  const batches: number[][] = []
  const ended = new Map<number, PromiseWithResolvers<void>>()
  const loop = new EmbeddingLoop({
    embedder: {
      maxInputs: 4,
      batchTokens: 32,
      setThreads: () => {},
      async embed(inputs) {
        batches.push(inputs.map(([first = 0]) => first))
        onStep(inputs)
        return inputs.map((tokens) => Float32Array.of(tokens[0] ?? 0, tokens.length))
      },
    },
    threads: 1,
    nowMs: () => 0,
    cpuMs: () => 0,
    emit(emitted) {
      events.push(...emitted)
      for (const event of emitted) if (event.type === 'failed' || event.isLast) ended.get(event.id)?.resolve()
    },
  })
  const add = (id: number, firsts: readonly number[], length = 4): Promise<void> => {
    const end = Promise.withResolvers<void>()
    ended.set(id, end)
    loop.add({ id, inputs: firsts.map((first) => new Uint32Array(length).fill(first)) })
    return end.promise
  }
  const firstsOf = (id: number) =>
    events.flatMap((event) =>
      event.type === 'vectors' && event.id === id
        ? Array.from(event.vectors).filter((_, index) => index % 2 === 0)
        : [],
    )
  return { loop, add, events, batches, firstsOf }
}

test('vectors arrive in the order of the inputs, over several steps, together with those of others', async () => {
  const { add, batches, firstsOf } = openLoop()
  await Promise.all([add(1, [10, 11, 12, 13, 14, 15, 16]), add(2, [20, 21])])
  expect(firstsOf(1)).toEqual([10, 11, 12, 13, 14, 15, 16])
  expect(firstsOf(2)).toEqual([20, 21])
  expect(batches[0]).toEqual([10, 11, 20, 21])
})

test('with more requests than places in a step, each gets its turn', async () => {
  const { add, batches } = openLoop()
  await Promise.all([1, 2, 3, 4, 5, 6].map((id) => add(id, [id, id])))
  expect(batches.slice(0, 3)).toEqual([
    [1, 2, 3, 4],
    [5, 6, 1, 2],
    [3, 4, 5, 6],
  ])
})

test('a cancelled request is read no further, and nothing more is emitted for it', async () => {
  const opened = openLoop(() => opened.loop.cancel(1))
  void opened.add(1, [10, 11, 12, 13, 14, 15])
  await opened.add(2, [20, 21, 22])
  expect(opened.firstsOf(1)).toEqual([])
  expect(opened.firstsOf(2)).toEqual([20, 21, 22])
  expect(opened.batches.flat().filter((first) => first >= 10 && first < 20).length).toBeLessThanOrEqual(2)
})

test('a step that fails ends its requests, and later ones work', async () => {
  let isBroken = true
  const { add, events, firstsOf } = openLoop(() => {
    if (isBroken) throw new Error('broken')
  })
  await add(1, [10])
  expect(events).toMatchObject([{ type: 'failed', id: 1, error: { message: 'broken' } }])
  isBroken = false
  await add(2, [20])
  expect(firstsOf(2)).toEqual([20])
})
