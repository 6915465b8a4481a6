import { expect, test } from 'vitest'
import { mayChange, mayMake, mayManage } from './may-change.ts'
import { sampleKey } from './sample-key.ts'

const own = sampleKey({ createdBy: 'mio@example.com' })
const email = 'mio@example.com'

test('a member changes their own keys, an admin all keys, a viewer none', () => {
  expect(mayChange(own, { email, role: 'member' })).toBe(true)
  expect(mayChange(own, { email: 'ren@example.com', role: 'member' })).toBe(false)
  expect(mayChange(own, { email: 'ren@example.com', role: 'admin' })).toBe(true)
  expect(mayChange(own, { email, role: 'viewer' })).toBe(false)
  expect([mayMake('viewer'), mayMake('member')]).toEqual([false, true])
  expect([mayManage('member'), mayManage('owner')]).toEqual([false, true])
})

test('a management key is for admins, whoever created it', () => {
  const key = sampleKey({ createdBy: email, scopes: ['manage'] })
  expect(mayChange(key, { email, role: 'member' })).toBe(false)
  expect(mayChange(key, { email, role: 'admin' })).toBe(true)
})
