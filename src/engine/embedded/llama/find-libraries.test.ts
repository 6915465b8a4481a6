import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchPath } from '../../../../test/harness/scratch-path.ts'
import { findGpuPackages, findLibraries } from './find-libraries.ts'

/** The files of the packages as published in release 3.21.1, without their contents. */
const published: Record<string, string[]> = {
  'linux-x64': [
    'libggml-base.so',
    'libggml-cpu-x64.so',
    'libggml.v0.4.0.so',
    'libllama-common.so',
    'libllama.v0.4.0.so',
  ],
  'linux-x64-cuda': [
    'libggml-base.so',
    'libggml-cuda.so',
    'libggml.cuda.v0.4.0.so',
    'libllama-common.so',
    'libllama.cuda.v0.4.0.so',
  ],
  'linux-x64-vulkan': [
    'libggml-vulkan.so',
    'libggml.vulkan.v0.4.0.so',
    'libllama-common.so',
    'libllama.vulkan.v0.4.0.so',
  ],
  'mac-arm64-metal': [
    'libggml-metal.so',
    'libggml.metal.v0.4.0.dylib',
    'libllama-common.dylib',
    'libllama.metal.v0.4.0.dylib',
  ],
}

const install = (...names: string[]) => {
  const modules = join(scratchPath(), 'node_modules')
  for (const name of names) {
    const folder = join(modules, '@node-llama-cpp', name, 'bins', name)
    mkdirSync(folder, { recursive: true })
    for (const file of published[name] ?? []) writeFileSync(join(folder, file), '')
  }
  return modules
}
const empty = (modules: string, name: string) => {
  mkdirSync(join(modules, '@node-llama-cpp', name), { recursive: true })
  writeFileSync(join(modules, '@node-llama-cpp', name, 'package.json'), '{}')
}
const find = (modules: string, platform: string, gpu: boolean) => {
  const { folder, ggml, llama, gpu: usesGpu } = findLibraries({ paths: [modules], platform, gpu })
  const below = (path: string) => path.slice(folder.length + 1)
  return { name: folder.split('/').at(-1), ggml: below(ggml), llama: below(llama), gpu: usesGpu && below(usesGpu) }
}

test('the libraries of the platform are used by default, also if others are installed', () => {
  const modules = install('linux-x64', 'linux-x64-cuda')
  expect(find(modules, 'linux-x64', false)).toEqual({
    name: 'linux-x64',
    ggml: 'libggml.v0.4.0.so',
    llama: 'libllama.v0.4.0.so',
    gpu: null,
  })
})

test('with a GPU, CUDA comes before Vulkan', () => {
  const both = install('linux-x64', 'linux-x64-vulkan', 'linux-x64-cuda')
  expect(find(both, 'linux-x64', true)).toEqual({
    name: 'linux-x64-cuda',
    ggml: 'libggml.cuda.v0.4.0.so',
    llama: 'libllama.cuda.v0.4.0.so',
    gpu: 'libggml-cuda.so',
  })
  const vulkan = install('linux-x64', 'linux-x64-vulkan')
  expect(find(vulkan, 'linux-x64', true)).toMatchObject({ name: 'linux-x64-vulkan', gpu: 'libggml-vulkan.so' })
})

test('a package without libraries is passed over', () => {
  const modules = install('linux-x64')
  empty(modules, 'linux-x64-cuda')
  expect(find(modules, 'linux-x64', true)).toMatchObject({ name: 'linux-x64', gpu: null })
})

test('packages for a GPU are found whether they are used or not', () => {
  const modules = install('linux-x64', 'linux-x64-vulkan')
  empty(modules, 'linux-x64-cuda')
  expect(findGpuPackages({ paths: [modules], platform: 'linux-x64' })).toEqual(['@node-llama-cpp/linux-x64-vulkan'])
})

test('a Mac uses its package with and without the GPU', () => {
  const modules = install('mac-arm64-metal')
  const metal = { name: 'mac-arm64-metal', ggml: 'libggml.metal.v0.4.0.dylib', llama: 'libllama.metal.v0.4.0.dylib' }
  expect(find(modules, 'mac-arm64', true)).toEqual({ ...metal, gpu: 'libggml-metal.so' })
  expect(find(modules, 'mac-arm64', false)).toMatchObject(metal)
})

test('what is missing is named', () => {
  expect(() => find(install('linux-x64'), 'linux-riscv64', false)).toThrow(
    '@node-llama-cpp/linux-riscv64 is not installed',
  )
  const modules = install()
  mkdirSync(join(modules, '@node-llama-cpp/linux-x64/bins/linux-x64'), { recursive: true })
  expect(() => find(modules, 'linux-x64', false)).toThrow('does not contain libggml')
})
