import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchDirectory } from '../../test/harness/scratch-store.ts'
import { loadSecretKey, secretKeyFile } from './secret-key.ts'

const openIn = (path: string): Buffer => loadSecretKey({ path, release: () => {} }, null)

test('the key is created once, for its owner only, and stays the same', () => {
  using scratch = scratchDirectory()
  const key = openIn(scratch.path)
  expect(key).toHaveLength(32)
  expect(openIn(scratch.path)).toEqual(key)
  expect(statSync(join(scratch.path, secretKeyFile)).mode & 0o777).toBe(0o600)
  expect(readdirSync(scratch.path)).toEqual([secretKeyFile])
})

test('a key in the settings is used instead, and none is created', () => {
  using scratch = scratchDirectory()
  const setting = Buffer.alloc(32, 7).toString('base64')
  expect(loadSecretKey({ path: scratch.path, release: () => {} }, setting)).toEqual(Buffer.alloc(32, 7))
  expect(readdirSync(scratch.path)).toEqual([])
})

test('a draft that a killed server left behind is no key', () => {
  using scratch = scratchDirectory()
  writeFileSync(join(scratch.path, `${secretKeyFile}.new`), 'half')
  expect(openIn(scratch.path)).toHaveLength(32)
  expect(readdirSync(scratch.path)).toEqual([secretKeyFile])
})

test('a file that is no key is not written over: what it locked would be lost', () => {
  using scratch = scratchDirectory()
  writeFileSync(join(scratch.path, secretKeyFile), 'nonsense')
  expect(() => openIn(scratch.path)).toThrow('is not a Helix key file')
})
