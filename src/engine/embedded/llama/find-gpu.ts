import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Libraries } from './find-libraries.ts'

/** One of them is null. */
export type GpuUse = {
  /** What the driver calls the GPU, and the package that uses it. */
  device: string | null
  /** One line for the operator: why the engine computes on the CPU although it should use a GPU. */
  fault: string | null
}

type Loaded = {
  /** What the first device of this type is called; null if there is none. */
  deviceOf(type: number): string | null
  /** Throws with the system's reason if the library cannot be loaded. */
  load(path: string): unknown
  /** What llama.cpp logged while it looked for devices. */
  lines: readonly string[]
}

/** Values of `ggml_backend_dev_type`: GPUs with memory of their own, and those that share it with the CPU. */
const gpuDevices = [1, 2]

/** llama.cpp passes over a library that it cannot load, and over one without a device, and does not say so. */
export const findGpu = (libraries: Libraries, { deviceOf, load, lines }: Loaded): GpuUse => {
  const { package: from, isOwnBuild, gpu } = libraries
  const fail = (fault: string): GpuUse => ({ device: null, fault })
  if (gpu === null)
    return fail(
      isOwnBuild
        ? `engineGpu is on, but the build of llama.cpp in ${from} has no library for a GPU, such as libggml-cuda.so.`
        : `engineGpu is on, but no package for a GPU is installed; ${from} is used.`,
    )
  for (const type of gpuDevices) {
    const device = deviceOf(type)
    if (device !== null) return { device: `${device} (${from})`, fault: null }
  }
  const library = basename(gpu)
  if (!existsSync(gpu)) return fail(`${from} does not contain ${library}: install the package again.`)
  try {
    load(gpu)
  } catch (error) {
    return fail(`${library} of ${from} cannot be loaded: ${loadFailure(error)}`)
  }
  return fail(`${from} finds no GPU: ${lines[0] ?? 'there is no device that it can use'}`)
}

/** The system's reason why a library cannot be loaded. */
export const loadFailure = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^Failed to load shared library: /, '')
}
