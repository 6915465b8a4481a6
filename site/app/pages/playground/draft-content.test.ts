import { expect, test } from 'vitest'
import { PlatformError } from '../../../platform/platform-error.ts'
import { isBlank, readContent, writeContent } from './draft-content.ts'
import { writeConversation } from './history-content.ts'
import { emptyState } from './playground-store.ts'
import { newAnswer } from './turns.ts'

test('what was written is read back, without the moments of the tokens and without a running answer', () => {
  const call = { id: 'call_1', name: 'f', arguments: '{}', result: 'done' }
  const content = {
    ...emptyState,
    system: 'Be short.',
    draft: 'And then?',
    settings: { ...emptyState.settings, temperature: '0.5', tools: '[]' },
    saved: { id: 'prm_1', name: 'Mine', version: 3, isOwn: true },
    turns: [
      { kind: 'sent' as const, id: 'a', text: 'Hi' },
      {
        ...newAnswer({ model: 'helix-v1', isJson: false }),
        text: 'Hello',
        thought: { text: 'A greeting.', fromMs: 3, toMs: 12, isOver: true },
        calls: [call],
        timing: { firstMs: 12, endMs: 40, moments: [12, 30] },
        usage: { promptTokens: 4, completionTokens: 2 },
      },
    ],
  }
  const read = readContent(writeContent(content))
  expect(read).toMatchObject({
    system: 'Be short.',
    draft: 'And then?',
    settings: content.settings,
    saved: content.saved,
  })
  expect(read?.turns).toMatchObject([
    { kind: 'sent', text: 'Hi' },
    {
      ...{ text: 'Hello', thought: { text: 'A greeting.', toMs: 12 }, calls: [call], outcome: { kind: 'stopped' } },
      timing: { firstMs: 12, endMs: 40, moments: [] },
    },
  ])
  expect(read !== null && isBlank(read)).toBe(false)
})

test('why an answer failed is read back, and written again as it was; of a limit no figures, and no field', () => {
  const limit = { name: 'tokensPerDay', scope: 'key', limit: 10, used: 9, requested: 4, resetsAt: null } as const
  const refusal = { status: 429, code: 'rate_limit_exceeded', message: 'Limit reached.', requestId: 'req_1' }
  const failed = (error: unknown) => ({
    ...newAnswer({ model: 'helix-v1', isJson: false }),
    outcome: { kind: 'failed' as const, error, asked: 40 },
  })
  const turns = [
    failed(new PlatformError({ ...refusal, param: 'seed', limit })),
    failed(new TypeError('a fault of the page')),
  ]
  const written = writeContent({ ...emptyState, turns })
  const read = readContent(written)
  expect(read?.turns).toMatchObject([
    { outcome: { kind: 'failed', error: { ...refusal, param: null, limit: null }, asked: 40 } },
    { outcome: { kind: 'failed', error: null, asked: 40 } },
  ])
  expect(read !== null && writeContent(read)).toBe(written)
})

test('what an opened request left out is in the draft until it is sent, and in no conversation', () => {
  const content = { ...emptyState, draft: 'Hi', leftOut: ['top_k: 3'] }
  expect(readContent(writeContent(content))?.leftOut).toEqual(['top_k: 3'])
  expect(readContent(writeConversation(content))?.leftOut).toEqual([])
  expect(writeContent({ ...content, leftOut: [] })).not.toContain('leftOut')
})

test.each(['', 'null', '[]', '"x"', '{'])('%j is no content', (text) => {
  expect(readContent(text)).toBeNull()
})

test('what another version of the site wrote becomes the default, and breaks nothing', () => {
  const read = readContent(
    JSON.stringify({
      turns: [1, { kind: 'image' }, { kind: 'answer', calls: [2] }],
      settings: { format: 'xml', seed: 5 },
    }),
  )
  expect(read).toMatchObject({ model: '', system: '', settings: emptyState.settings, turns: [{ text: '', calls: [] }] })
})
