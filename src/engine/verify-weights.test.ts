import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ModelRefused } from './model-refused.ts'
import { verifyWeights } from './verify-weights.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-weights-'))
})
afterEach(() => rm(folder, { recursive: true }))

const bytes = Buffer.alloc(3_000_000, 'weights')
const file = async (name: string, content: Buffer) => {
  const path = join(folder, name)
  await writeFile(path, content)
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

test('whole files pass', async () => {
  await verifyWeights([await file('one', bytes), await file('two', bytes)])
})

test('one changed bit is found and its file named', async () => {
  const damaged = Buffer.from(bytes)
  damaged.writeUInt8(damaged.readUInt8(2_999_999) ^ 1, 2_999_999)
  const files = [await file('one', bytes), await file('two', damaged)]
  await expect(verifyWeights(files)).rejects.toThrow(/two is damaged .* restore the file/)
  await expect(verifyWeights(files)).rejects.toBeInstanceOf(ModelRefused)
})

test('a file that went away is named', async () => {
  const gone = await file('gone', bytes)
  await rm(gone.path)
  await expect(verifyWeights([gone])).rejects.toThrow(/gone cannot be read \(ENOENT\)/)
})

test('a file without a checksum is taken as it is', async () => {
  await verifyWeights([{ path: join(folder, 'never-read'), bytes: null, sha256: null }])
})
