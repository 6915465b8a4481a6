import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  gpuShortage,
  joinPlan,
  type MemoryPlan,
  memoryShortage,
  planEncoder,
  planMemory,
  savedLimitBytes,
  splitPlan,
  totalBytes,
} from './memory-plan.ts'

const shape = { layers: 24, keyValueHeads: 2, keyLength: 64, valueLength: 64, vocabulary: 45_056 }
const options = { weights: 171e6, shape, contextTokens: 8192, slots: 4, cacheType: 'f16' as const }
const split = (plan: MemoryPlan, gpuLayers: number | null) =>
  splitPlan(plan, { layers: 24, gpuLayers, gpuBuffers: 256 * 2 ** 20 })

test('the cache grows with slots and context, and takes about half with q8_0', () => {
  const { cache } = planMemory(options)
  expect(cache).toBe(8192 * 4 * 24 * 2 * 128 * 2)
  expect(planMemory({ ...options, slots: 8 }).cache).toBe(2 * cache)
  expect(planMemory({ ...options, cacheType: 'q8_0' }).cache / cache).toBeCloseTo(0.53)
})

test('what cannot fit is refused with the arithmetic, in one line', () => {
  const plan = planMemory({ ...options, weights: 9e9 })
  expect(memoryShortage(plan, 16e9, options)).toBeNull()
  expect(memoryShortage(plan, 8e9, options)).toBe(
    'needs 9.7 GB of memory (9.0 GB of weights, 0.4 GB of cache for 4 × 8192 tokens and 0.3 GB of buffers), but only 8.0 GB are ' +
      'available. Lower engineSlots or contextTokens, set engineCacheType to q8_0, or choose a smaller model.',
  )
})

test('a plan is split by the layers on the GPU', () => {
  const plan = planMemory(options)
  expect(split(plan, null)).toMatchObject({
    gpu: { weights: plan.weights, cache: plan.cache },
    main: { weights: 0 },
  })
  expect(split(plan, 25)).toEqual(split(plan, null))
  expect(split(plan, 999)).toEqual(split(plan, null))
  expect(split(plan, 0)).toEqual({ gpu: { weights: 0, cache: 0, buffers: 0 }, main: plan })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (gpuLayers) => {
      const { gpu, main } = split(plan, gpuLayers)
      expect(gpu.weights + main.weights).toBeCloseTo(plan.weights)
      expect(gpu.cache + main.cache).toBeCloseTo(plan.cache)
      const joined = joinPlan({ gpu, main })
      expect(joined.gpuBytes ?? 0).toBeCloseTo(totalBytes(gpu))
      expect(totalBytes(joined) - (joined.gpuBytes ?? 0)).toBeCloseTo(totalBytes(main))
    }),
  )
})

test("what does not fit in the GPU's memory is refused with the arithmetic, and fewer layers fit", () => {
  const plan = planMemory({ ...options, weights: 9e9 })
  expect(gpuShortage(split(plan, null).gpu, 8e9)).toBe(
    "needs 9.7 GB of the GPU's memory (9.0 GB of weights, 0.4 GB of cache and 0.3 GB of buffers), but only 8.0 GB are free. " +
      'Lower engineGpuLayers, engineSlots or contextTokens, set engineCacheType to q8_0, or choose a smaller model.',
  )
  expect(gpuShortage(split(plan, 12).gpu, 8e9)).toBeNull()
})

test('contexts of paused answers may take main memory that a model on the GPU does not need', () => {
  const plan = planMemory(options)
  expect(savedLimitBytes(plan, totalBytes(plan))).toBe(0)
  expect(savedLimitBytes(joinPlan(split(plan, null)), totalBytes(plan))).toBeGreaterThan(0)
})

test('an encoder needs memory for each token of its longest input, and for logits only if llama.cpp reserves them', () => {
  const encoder = {
    weights: 13e6,
    cache: 0,
    vocabulary: 250_037,
    batchTokens: 512,
    width: 384,
    feedForward: 1536,
    heads: 12,
  }
  const plan = (own: Partial<Parameters<typeof planEncoder>[0]> = {}) =>
    totalBytes(planEncoder({ ...encoder, hasPlainAttention: false, hasLogits: false, ...own }))
  // 249 MB were measured.
  expect(plan() / 1e6).toBeCloseTo(261, 0)
  expect(plan({ hasLogits: true }) - plan()).toBe(512 * 250_037 * 4)
  expect(plan({ hasPlainAttention: true }) - plan()).toBe(2 * 12 * 512 * 512 * 4)
  expect(plan({ batchTokens: 8192 })).toBeGreaterThan(plan() + 15 * 512 * 4 * (8 * 384 + 2 * 1536))
})
