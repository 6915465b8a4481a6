import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchPath } from '../../test/harness/scratch-path.ts'
import { identifyWeights } from './identify-weights.ts'

const write = (bytes: Uint8Array, name = 'model.gguf'): string => {
  const path = join(scratchPath(), name)
  writeFileSync(path, bytes)
  return path
}
const idOf = (...paths: string[]): Promise<string> => identifyWeights(paths.map((path) => ({ path, sha256: null })))
const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 256)

test('a copy under another name and with another time is the same weights', async () => {
  const [bytes, later] = [bytesOf(3_000_000), new Date(1_900_000_000_000)]
  const copy = write(bytes, 'another.gguf')
  utimesSync(copy, later, later)
  expect(await idOf(copy)).toBe(await idOf(write(bytes)))
})

test('one byte of a small file, the size, or the tensors of a large file make other weights', async () => {
  const small = bytesOf(100_000)
  const known = new Set([await idOf(write(small))])
  for (const place of [0, 16_384, 50_001, 99_999]) known.add(await idOf(write(small.with(place, 7))))
  known.add(await idOf(write(small.subarray(1))))
  known.add(await idOf(write(small), write(small)))
  const large = bytesOf(3_000_000)
  known.add(await idOf(write(large)))
  // From some tensor on, as where training changed the last layers.
  known.add(await idOf(write(large.map((byte, index) => (index < 2_500_000 ? byte : byte ^ 1)))))
  known.add(await idOf(write(new Uint8Array())))
  expect(known.size).toBe(10)
})

test('checksums of a model.json identify weights without reading them', async () => {
  const file = (sha256: string) => ({ path: '/nowhere', sha256 })
  const one = await identifyWeights([file('a'.repeat(64)), file('b'.repeat(64))])
  expect(await identifyWeights([file('a'.repeat(64)), file('b'.repeat(64))])).toBe(one)
  expect(await identifyWeights([file('a'.repeat(64)), file('c'.repeat(64))])).not.toBe(one)
})

test('a file that is gone is named', async () => {
  await expect(idOf('/nowhere/model.gguf')).rejects.toThrow('/nowhere/model.gguf cannot be read (ENOENT)')
})
