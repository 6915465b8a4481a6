import { expect, test } from 'vitest'
import { parseDriverVersion } from './gpu-facts.ts'
import { gpuObstacle } from './gpu-obstacle.ts'

const nothing = { nvidiaDriver: null, capabilities: [], vulkanDrivers: [] }
const nvidia = (nvidiaDriver: string, ...capabilities: string[]) => ({ ...nothing, nvidiaDriver, capabilities })

test('without a driver, nothing is installed', () => {
  expect(gpuObstacle('cuda', nothing)).toContain('no NVIDIA driver')
  expect(gpuObstacle('vulkan', nothing)).toContain('no Vulkan driver')
  expect(gpuObstacle('vulkan', nvidia('580.95.05', '9.0'))).toContain('no Vulkan driver')
  expect(gpuObstacle('vulkan', { ...nothing, vulkanDrivers: ['/etc/vulkan/icd.d/a.json'] })).toBeNull()
})

test('a GPU that the CUDA package has no machine code for needs a newer driver or an own build', () => {
  expect(gpuObstacle('cuda', nvidia('580.95.05', '9.0'))).toBe(
    'the GPU has compute capability 9.0, but the package has machine code only for 8.6, 8.9, 12.0, 12.1, ' +
      'and driver 580.95.05 cannot compile its PTX: build llama.cpp and set engineLibraries, see docs/operating.md',
  )
  expect(gpuObstacle('cuda', nvidia('580.95.05', '8.9', '8.0'))).toContain('capability 8.0,')
})

test('a GPU that the CUDA package has machine code for can be used, and others with a newer driver', () => {
  expect(gpuObstacle('cuda', nvidia('580.95.05', '8.9'))).toBeNull()
  expect(gpuObstacle('cuda', nvidia('590.10', '9.0'))).toBeNull()
  // Without nvidia-smi the capability is not known: the trial decides.
  expect(gpuObstacle('cuda', nvidia('580.95.05'))).toBeNull()
})

test("the version of NVIDIA's driver is read from the line of its kernel module", () => {
  const gcc = 'GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n'
  const closed = `NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\n${gcc}`
  const open = `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (root@host)\n${gcc}`
  expect(parseDriverVersion(closed)).toBe('535.183.01')
  expect(parseDriverVersion(open)).toBe('580.95.05')
  expect(parseDriverVersion('')).toBeNull()
  expect(parseDriverVersion(gcc)).toBeNull()
})
