import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Libraries } from './find-libraries.ts'
import { libraryArchitecture } from './library-architecture.ts'

export type GpuDevice = {
  /** What the driver calls it. */
  name: string
  freeBytes: number
  totalBytes: number
}

/** One of `device` and `fault` is null. */
export type GpuUse = {
  /** What the driver calls the GPUs, their memory, and the library that uses them. */
  device: string | null
  /** Of each GPU, before a model was loaded. */
  freeBytes: readonly number[]
  /** Their memory is that of the CPU. */
  sharesMemory: boolean
  /** One line for the operator: why the engine computes on the CPU although it should use a GPU. */
  fault: string | null
}

type Loaded = {
  devices(type: number): readonly GpuDevice[]
  /** Throws with the system's reason if the library cannot be loaded. */
  load(path: string): unknown
  /** What llama.cpp logged while it looked for devices. */
  lines: readonly string[]
}

/** Values of `ggml_backend_dev_type`: GPUs with memory of their own; without one, those that share it with the CPU. */
const integratedType = 2
const gpuTypes = [1, integratedType]

/** llama.cpp passes over a library that it cannot load, and over one without a device, and does not say so. */
export const findGpu = (libraries: Libraries, { devices, load, lines }: Loaded): GpuUse => {
  const { package: from, isOwnBuild, gpu } = libraries
  const fail = (fault: string): GpuUse => ({ device: null, freeBytes: [], sharesMemory: false, fault })
  if (gpu === null)
    return fail(
      isOwnBuild
        ? `engineGpu is on, but the build of llama.cpp in ${from} has no library for a GPU, such as libggml-cuda.so.`
        : `engineGpu is on, but no package for a GPU is installed; ${from} is used.`,
    )
  const library = basename(gpu)
  for (const type of gpuTypes) {
    const found = devices(type)
    if (found.length === 0) continue
    const device = `${found.map(describeDevice).join(', ')} (${library} of ${from})`
    const sharesMemory = type === integratedType || process.platform === 'darwin'
    return { device, freeBytes: found.map(({ freeBytes }) => freeBytes), sharesMemory, fault: null }
  }
  if (!existsSync(gpu)) return fail(`${from} does not contain ${library}: install the package again.`)
  try {
    load(gpu)
  } catch (error) {
    return fail(`${library} of ${from} cannot be loaded: ${loadFailure(error, gpu)}`)
  }
  return fail(`${from} finds no GPU: ${lines[0] ?? 'there is no device that it can use'}`)
}

const describeDevice = ({ name, totalBytes }: GpuDevice): string => `${name} with ${(totalBytes / 1e9).toFixed(1)} GB`

/** The system's reason why a library cannot be loaded. Of one for another architecture it says that it is not there. */
export const loadFailure = (error: unknown, path: string): string => {
  const architecture = libraryArchitecture(path)
  if (architecture !== null && architecture !== process.arch)
    return `it is a library for ${architecture}, and this machine is ${process.arch}`
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^Failed to load shared library: /, '')
}
