import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planMemory, splitPlan, totalBytes } from './memory-plan.ts'
import { placeModel } from './place-model.ts'

const shape = { layers: 32, keyValueHeads: 8, keyLength: 128, valueLength: 128, vocabulary: 150_000 }
const model = {
  shape,
  plan: planMemory({ weights: 8e9, shape, contextTokens: 8192, slots: 4, cacheType: 'f16' }),
}
const settings = { slots: 4, threads: 8 }
const gpuWith = (...freeBytes: number[]) => ({ device: 'a GPU', freeBytes, sharesMemory: false, fault: null })
const noGpu = { device: null, freeBytes: [], sharesMemory: false, fault: 'no GPU' }

test('without a GPU all threads compute, in the small steps of a CPU', () => {
  expect(placeModel(settings, noGpu, model)).toEqual({
    ...{ gpuLayers: 0, threads: 8, batchTokens: 512, microBatchTokens: 512, gpuBuffers: 0, split: null },
  })
})

test('a model that fits is on the GPU, with two threads and steps as large as its memory allows', () => {
  expect(placeModel(settings, gpuWith(140e9), model)).toMatchObject({
    ...{ gpuLayers: null, threads: 2, batchTokens: 2048, microBatchTokens: 2048, split: null },
  })
  const tight = placeModel(settings, gpuWith(14e9), model)
  expect(tight).toMatchObject({ gpuLayers: null, batchTokens: 2048, microBatchTokens: 1024 })
  expect(placeModel(settings, gpuWith(13.6e9), model)).toMatchObject({ gpuLayers: null, microBatchTokens: 512 })
  expect(placeModel({ ...settings, threads: 1 }, gpuWith(140e9), model).threads).toBe(1)
})

test('a model that does not fit is divided, and the line says how and what to change', () => {
  const placed = placeModel(settings, gpuWith(8e9), model)
  expect(placed).toMatchObject({ gpuLayers: 18, threads: 8, batchTokens: 512 })
  expect(placed.split).toBe(
    "The model needs 12.9 GB of the GPU's memory, of which 7.6 GB can be used: 18 of 33 layers run on the GPU and the others " +
      'on the CPU, which is slower. Set engineCacheType to q8_0, lower engineSlots or contextTokens, or choose a smaller model.',
  )
})

test('the number of layers that is set counts', () => {
  expect(placeModel({ ...settings, gpuLayers: 10 }, gpuWith(140e9), model)).toMatchObject({
    ...{ gpuLayers: 10, threads: 8, batchTokens: 512, split: null },
  })
  expect(placeModel({ ...settings, gpuLayers: 33 }, gpuWith(140e9), model)).toMatchObject({
    gpuLayers: null,
    threads: 2,
  })
  expect(placeModel({ ...settings, gpuLayers: 99 }, gpuWith(1e9), model)).toMatchObject({
    gpuLayers: null,
    split: null,
  })
})

test('several GPUs count together, unless only one of them is used', () => {
  expect(placeModel(settings, gpuWith(9e9, 9e9), model).gpuLayers).toBeNull()
  const one = { ...settings, splitMode: 'none', mainGpu: 1 } as const
  expect(placeModel(one, gpuWith(80e9, 4e9), model).gpuLayers).toBeLessThan(18)
  expect(placeModel({ ...one, mainGpu: 0 }, gpuWith(80e9, 4e9), model).gpuLayers).toBeNull()
})

test('files that do not say how large the model is are loaded as the settings say', () => {
  expect(placeModel(settings, gpuWith(8e9), null)).toMatchObject({ gpuLayers: null, microBatchTokens: 512 })
  expect(placeModel({ ...settings, gpuLayers: 3 }, gpuWith(8e9), null).gpuLayers).toBe(3)
})

test('whatever is free, what is planned for the GPU fits, and one more layer would not', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20e9, noNaN: true }), (free) => {
      const { gpuLayers, gpuBuffers, split } = placeModel(settings, gpuWith(free), model)
      const bytes = (layers: number | null) =>
        totalBytes(splitPlan(model.plan, { layers: shape.layers, gpuLayers: layers, gpuBuffers }).gpu)
      expect(bytes(gpuLayers)).toBeLessThanOrEqual(free)
      if (gpuLayers !== null) expect(bytes(gpuLayers + 1)).toBeGreaterThan(0.95 * free)
      expect(split === null).toBe(gpuLayers === null)
    }),
  )
})
