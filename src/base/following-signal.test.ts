import { expect, test } from 'vitest'
import { followSignal } from './following-signal.ts'

test('it aborts with the other signal and for the same reason, even if that was aborted before', () => {
  const outer = new AbortController()
  const { signal } = followSignal(outer.signal)
  expect(signal.aborted).toBe(false)
  const reason = new Error('gone')
  outer.abort(reason)
  expect(signal.reason).toBe(reason)
  expect(followSignal(outer.signal).signal.reason).toBe(reason)
})

test('aborted by itself, it leaves the other signal alone', () => {
  const outer = new AbortController()
  const { signal, abort } = followSignal(outer.signal)
  const reason = new Error('too late')
  abort(reason)
  expect(signal.reason).toBe(reason)
  expect(outer.signal.aborted).toBe(false)
})

test('once released, it does not follow any more', () => {
  const outer = new AbortController()
  const { signal, release } = followSignal(outer.signal)
  release()
  outer.abort()
  expect(signal.aborted).toBe(false)
})
