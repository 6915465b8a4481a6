import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPageCredentials, createPlatform } from '../../../platform/platform.ts'
import { createSessionEnd } from '../../session-end.ts'
import type { Attachment } from './attachments.ts'
import { createPlayground } from './playground.ts'
import { emptyState } from './playground-store.ts'
import { replaceContent } from './replace-content.ts'
import { newAnswer, type Turn } from './turns.ts'

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', () => 1)
  vi.stubGlobal('cancelAnimationFrame', () => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Nothing that is sent is ever answered. */
const open = () => {
  const credentials = createPageCredentials()
  const platform = createPlatform(credentials, () => new Promise(() => {}))
  return createPlayground({ platform, credentials, sessionEnd: createSessionEnd() })
}

const file: Attachment = { kind: 'text', name: 'notes.txt', text: 'Notes' }
const turns: Turn[] = [
  { kind: 'sent', id: 'a', text: 'Hi' },
  { ...newAnswer({ model: 'helix-v1', isJson: false }), id: 'b', text: 'Hello' },
]

test('files that wait in the composer stay with what they were attached to', () => {
  const playground = open()
  const { store } = playground
  store.change({ turns, attachments: [file], leftOut: ['top_k: 3'] })
  const undo = replaceContent(playground, { ...emptyState, system: 'Be short.' })
  expect(store.read()).toMatchObject({ attachments: [], turns: [], leftOut: [], system: 'Be short.' })
  expect(undo?.applies()).toBe(true)
  undo?.run()
  expect(store.read()).toMatchObject({ attachments: [file], leftOut: ['top_k: 3'], system: '' })
  expect(store.read().turns.map(({ text }) => text)).toEqual(['Hi', 'Hello'])
})

test('a file alone can be brought back, but not once another was attached', () => {
  const playground = open()
  const { store } = playground
  expect(replaceContent(playground, emptyState)).toBeUndefined()
  store.change({ attachments: [file] })
  const undo = replaceContent(playground, emptyState)
  expect(undo?.applies()).toBe(true)
  store.change({ attachments: [{ ...file, name: 'other.txt' }] })
  expect(undo?.applies()).toBe(false)
})

test('what an opened request left out is named until anything was sent without it', () => {
  const { store, steps } = open()
  store.change({ turns, leftOut: ['top_k: 3'] })
  expect(steps.regenerate('helix-v1', 'b')).toBe(true)
  expect(store.read().leftOut).toEqual([])
})
