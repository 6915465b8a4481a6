import { expect, test } from 'vitest'
import { createInbox } from './inbox.ts'

test('items come in order, whether the reader waits or not', async () => {
  const inbox = createInbox<number>()
  inbox.put(1)
  inbox.put(2)
  expect(await inbox.take()).toBe(1)
  expect(await inbox.take()).toBe(2)
  const third = inbox.take()
  inbox.put(3)
  expect(await third).toBe(3)
})

test('a failure comes after what came before it, and wakes a waiting reader', async () => {
  const inbox = createInbox<number>()
  inbox.put(1)
  inbox.fail(new Error('over'))
  expect(await inbox.take()).toBe(1)
  await expect(inbox.take()).rejects.toThrow('over')
  const other = createInbox<number>()
  const waiting = other.take()
  other.fail(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
})
