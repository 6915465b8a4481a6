import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Package = {
  version?: string
  optional?: boolean
  cpu?: string[]
  os?: string[]
  resolved?: string
  link?: boolean
}
const lock: { packages: Record<string, Package & { optionalDependencies?: Record<string, string> }> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
)
const names = Object.keys(lock.packages)
const held = (name: string): boolean =>
  names.some((path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`))

/** Packages that come in one binary for each platform name them as optional dependencies. */
const platformBinaries = names.flatMap((path) =>
  Object.keys(lock.packages[path]?.optionalDependencies ?? {}).filter((name) => /linux-(x64|arm64)(-gnu)?$/.test(name)),
)

test('the lockfile contains the linux-x64 and linux-arm64 binary of every package that has them', () => {
  expect(platformBinaries.length).toBeGreaterThanOrEqual(10)
  expect(platformBinaries.filter((name) => !held(name))).toEqual([])
  for (const name of platformBinaries) {
    const sibling = name.includes('x64') ? name.replace('x64', 'arm64') : name.replace('arm64', 'x64')
    expect(held(sibling), `${name} has no ${sibling}`).toBe(true)
  }
})

test('both runtimes are pinned to the same Node 24', () => {
  const versions = ['x64', 'arm64'].map((cpu) => lock.packages[`node_modules/node-linux-${cpu}`]?.version)
  expect(versions[0]).toMatch(/^24\./)
  expect(versions[0]).toBe(versions[1])
})

test('the lockfile names no registry', () => {
  expect(names.filter((path) => lock.packages[path]?.resolved !== undefined)).toEqual([])
})

test('GPU binaries are left out', () => {
  expect(names.filter((path) => /@node-llama-cpp\/.*(cuda|vulkan)/.test(path))).toEqual([])
})
