import { expect, test } from 'vitest'
import { createMemoryBudget, MemoryInUse, type MemoryUser } from './memory-budget.ts'

type TestUser = MemoryUser & { unloaded: number }

const createUser = (options: { idle?: boolean; lastUsedMs?: number; isDefault?: boolean } = {}): TestUser => {
  const user: TestUser = {
    unloaded: 0,
    isIdle: () => options.idle ?? true,
    lastUsedMs: () => options.lastUsedMs ?? 0,
    isDefault: () => options.isDefault ?? false,
    async unload() {
      user.unloaded += 1
    },
  }
  return user
}
const unloaded = (users: TestUser[]): number[] => users.map((user) => user.unloaded)

test('nothing is unloaded while there is enough memory', async () => {
  const budget = createMemoryBudget(100)
  const users = [createUser(), createUser()]
  for (const user of users) await budget.reserve(user, 50)
  expect(unloaded(users)).toEqual([0, 0])
})

test('idle models are unloaded, the least recently used first and no more than necessary', async () => {
  const budget = createMemoryBudget(100)
  const users = [30, 10, 20].map((lastUsedMs) => createUser({ lastUsedMs }))
  for (const user of users) await budget.reserve(user, 30)
  await budget.reserve(createUser(), 50)
  expect(unloaded(users)).toEqual([0, 1, 1])
})

test('the default model is unloaded last', async () => {
  const budget = createMemoryBudget(100)
  const users = [createUser({ lastUsedMs: 1, isDefault: true }), createUser({ lastUsedMs: 2 })]
  for (const user of users) await budget.reserve(user, 50)
  await budget.reserve(createUser(), 50)
  expect(unloaded(users)).toEqual([0, 1])
})

test('models in use are kept, and nothing is unloaded in vain', async () => {
  const budget = createMemoryBudget(100)
  const users = [createUser({ idle: false }), createUser()]
  for (const user of users) await budget.reserve(user, 40)
  await expect(budget.reserve(createUser(), 70)).rejects.toBeInstanceOf(MemoryInUse)
  expect(unloaded(users)).toEqual([0, 0])
  await budget.reserve(createUser(), 60)
  expect(unloaded(users)).toEqual([0, 1])
})

test('memory is available only once the unloaded model is gone', async () => {
  const budget = createMemoryBudget(100)
  const gone = Promise.withResolvers<void>()
  await budget.reserve({ ...createUser(), unload: () => gone.promise }, 100)
  let isReserved = false
  const reserved = budget.reserve(createUser(), 100).then(() => {
    isReserved = true
  })
  await Promise.resolve()
  expect(isReserved).toBe(false)
  gone.resolve()
  await reserved
})

test('two models that load together cannot take the same memory', async () => {
  const budget = createMemoryBudget(100)
  const busy = () => createUser({ idle: false })
  const [first, second] = await Promise.allSettled([budget.reserve(busy(), 60), budget.reserve(busy(), 60)])
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
})

test('a model that turns out to be larger makes others leave', async () => {
  const budget = createMemoryBudget(100)
  const [idle, large] = [createUser(), createUser({ idle: false })]
  await budget.reserve(idle, 40)
  await budget.reserve(large, 40)
  budget.correct(large, 80)
  expect(unloaded([idle])).toEqual([1])
})

test('released memory can be used again', async () => {
  const budget = createMemoryBudget(100)
  const first = createUser({ idle: false })
  await budget.reserve(first, 100)
  budget.release(first)
  await budget.reserve(createUser(), 100)
  expect(unloaded([first])).toEqual([0])
})

test('models on the GPU take its memory, and only those that have some of what is missing are unloaded', async () => {
  const budget = createMemoryBudget(100)
  const users = [1, 2, 3].map((lastUsedMs) => createUser({ lastUsedMs }))
  const [onCpu, onGpu, largest] = users
  if (!onCpu || !onGpu || !largest) throw new Error('there are three')
  await budget.reserve(onCpu, 50)
  await budget.reserve(onGpu, 10, 500)
  budget.correct(onGpu, 10, { gpuBytes: 500, gpuFreeBytes: 1000 })
  await budget.reserve(largest, 10, 700)
  expect(unloaded(users)).toEqual([0, 1, 0])
  await budget.reserve(createUser(), 60)
  expect(unloaded(users)).toEqual([1, 1, 0])
})

test('what is free on the GPU is counted without the models that are loaded there', async () => {
  const budget = createMemoryBudget(100)
  const busy = () => createUser({ idle: false })
  const [first, second] = [busy(), busy()]
  await budget.reserve(first, 10, 500)
  budget.correct(first, 10, { gpuBytes: 500, gpuFreeBytes: 1000 })
  await budget.reserve(second, 10, 400)
  // Another program has taken 50 meanwhile.
  budget.correct(second, 10, { gpuBytes: 400, gpuFreeBytes: 450 })
  await expect(budget.reserve(busy(), 10, 60)).rejects.toBeInstanceOf(MemoryInUse)
  await budget.reserve(busy(), 10, 50)
})

test('of a model that is larger than the GPU, the rest takes main memory', async () => {
  const budget = createMemoryBudget(100)
  const first = createUser()
  await budget.reserve(first, 10, 20)
  budget.correct(first, 10, { gpuBytes: 20, gpuFreeBytes: 50 })
  await expect(budget.reserve(createUser(), 10, 141)).rejects.toBeInstanceOf(MemoryInUse)
  expect(unloaded([first])).toEqual([0])
  await budget.reserve(createUser(), 10, 140)
  expect(unloaded([first])).toEqual([1])
})
