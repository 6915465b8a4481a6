import { expect, test } from 'vitest'
import { createInbox } from './inbox.ts'

test('items come in order, all that have arrived at once, whether the reader waits or not', async () => {
  const inbox = createInbox<number>()
  inbox.put(1)
  inbox.put(2)
  expect(await inbox.takeAll()).toEqual([1, 2])
  const waiting = inbox.takeAll()
  inbox.put(3)
  inbox.put(4)
  expect(await waiting).toEqual([3, 4])
  inbox.put(5)
  expect(await inbox.takeAll()).toEqual([5])
})

test('a failure comes after what came before it, and wakes a waiting reader', async () => {
  const inbox = createInbox<number>()
  inbox.put(1)
  inbox.fail(new Error('over'))
  expect(await inbox.takeAll()).toEqual([1])
  await expect(inbox.takeAll()).rejects.toThrow('over')
  const other = createInbox<number>()
  const waiting = other.takeAll()
  other.fail(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
})
