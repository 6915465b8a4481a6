import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { ApiError } from '../../base/api-error.ts'
import { createPasswordHasher } from './password-hasher.ts'

const hasher = createPasswordHasher()

test('a password matches its own hash and no other', async () => {
  const hash = await hasher.hash('plum harbour lantern')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await hasher.verify('plum harbour lantern', hash)).toBe(true)
  expect(await hasher.verify('plum harbour lanterN', hash)).toBe(false)
  expect(await hasher.hash('plum harbour lantern')).not.toBe(hash)
})

test('the same text from another keyboard or input method is the same password', async () => {
  const hash = await hasher.hash('パスワード１２３４５')
  expect(await hasher.verify('ﾊﾟｽﾜｰﾄﾞ12345', hash)).toBe(true)
})

test('a hash with other costs is still verified, and a broken one is an error', async () => {
  const salt = Buffer.from('somesalt')
  const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 16 }
  const tag = argon2Sync('argon2id', { message: 'plum', nonce: salt, ...cost })
    .toString('base64')
    .replaceAll('=', '')
  expect(await hasher.verify('plum', `$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$${tag}`)).toBe(true)
  await expect(hasher.verify('plum', `$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$${tag}`)).rejects.toThrow('cannot be read')
})

test('without a hash verification fails, after the same work', async () => {
  expect(await hasher.verify('plum harbour lantern', null)).toBe(false)
})

test('a flood waits in a short queue; the rest is refused at once', async () => {
  const crowded = createPasswordHasher()
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => crowded.verify('x', cheapHash)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(100 - 2 - 64)
  for (const { reason } of refused) expect(reason).toBeInstanceOf(ApiError)
  expect(await crowded.verify('x', cheapHash)).toBe(false)
})

const cheapHash = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA'
