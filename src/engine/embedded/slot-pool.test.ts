import { expect, test } from 'vitest'
import { createSlotPool } from './slot-pool.ts'

const never = new AbortController().signal

test('who waits first is served first', async () => {
  const pool = createSlotPool(['slot'])
  const slot = await pool.take(never)
  const served: string[] = []
  const first = pool.take(never).then(() => served.push('first'))
  const second = pool.take(never).then(() => served.push('second'))
  pool.give(slot)
  await first
  pool.give(slot)
  await second
  expect(served).toEqual(['first', 'second'])
})

test('an aborted wait throws the reason and takes no slot', async () => {
  const pool = createSlotPool(['slot'])
  const slot = await pool.take(never)
  const abort = new AbortController()
  const waiting = pool.take(abort.signal)
  abort.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  pool.give(slot)
  expect(await pool.take(never)).toBe('slot')
})
