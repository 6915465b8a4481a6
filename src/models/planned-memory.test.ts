import { expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { scratchPath } from '../../test/harness/scratch-path.ts'
import { describeModels } from './describe-models.ts'
import { mainMemory, memoryRefusal, sumMemory } from './model-memory.ts'
import { plannedMemory } from './planned-memory.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const entry = {
  ...{ name: null, path: writeTinyModel(scratchPath(), 'tiny-chat'), aliases: [], contextTokens: null },
  ...{ slots: 4, idleMinutes: 0, isDefault: true },
}
const [model] = await describeModels([entry], quiet)
if (model === undefined) throw new Error('the tiny model is there')
const plan = (engineGpu: boolean | 'required', engineGpuLayers: number | null = null) =>
  plannedMemory(model, { engineCacheType: 'f16', engineGpu, engineGpuLayers })

test.skipIf(process.platform === 'darwin')('layers that are to run on a GPU do not count as main memory', () => {
  const onCpu = plan(false)
  expect(onCpu.gpuBytes).toBeUndefined()
  expect(plan(true, 0)).toEqual(onCpu)
  const [some, all] = [plan(true, 1), plan('required')]
  expect(mainMemory(all)).toBe(onCpu.buffers)
  expect(mainMemory(some)).toBeGreaterThan(mainMemory(all))
  expect(mainMemory(some)).toBeLessThan(sumMemory(onCpu))
  expect(memoryRefusal(all, 0)).toMatch(/of buffers; 0\.\d GB of these on the GPU\), but all models together may use/)
})
