import { expect, test } from 'vitest'
import { emptyState } from '../playground/playground-store.ts'
import { firstColumns, sharedFields, sharedFiles, takeOver } from './take-over.ts'

const settings = { ...emptyState.settings, temperature: '0.4', top_p: '0.8', max_completion_tokens: '90', seed: '7' }

test('the first column is as the playground is', () => {
  const { own, shared } = takeOver({ ...emptyState, model: 'small', system: 'Be short.', settings })
  const [first, second] = firstColumns(own, 'small', ['small'])
  expect(first).toEqual({
    ...{ model: 'small', system: 'Be short.', temperature: '0.4', top_p: '0.8', max_completion_tokens: '90' },
  })
  expect(second).toEqual(first)
  expect(sharedFields(shared)).toEqual(['seed'])
})

test('the second column differs: by its model, or else by its temperature where none was chosen', () => {
  const { own } = takeOver(emptyState)
  expect(firstColumns(own, 'small', ['small', 'large'])[1]).toEqual({ ...own, model: 'large' })
  expect(firstColumns(own, 'small', ['small'])).toEqual([own, { ...own, temperature: '1' }])
})

test('tools, a schema and the reasoning effort are taken over by every column', () => {
  const { shared } = takeOver({
    ...emptyState,
    settings: { ...settings, format: 'schema', schema: '{}', tools: '[]', reasoningEffort: 'low' },
  })
  expect(sharedFields(shared)).toEqual(['reasoningEffort', 'tools', 'seed', 'schema'])
})

test('probabilities of tokens are not asked for: columns do not show them, and another model may not have them', () => {
  const { shared } = takeOver({ ...emptyState, settings: { ...settings, logprobs: 'ids' } })
  expect(shared.settings.logprobs).toBe('off')
})

test('files are taken over with the message that they belong to', () => {
  const notes = { kind: 'text', name: 'notes.txt', text: 'High.' } as const
  const sent = { kind: 'sent', id: 'a', text: 'How high?', attachments: [notes] } as const
  const last = takeOver({ ...emptyState, turns: [sent] })
  expect(last).toMatchObject({ prompt: 'How high?', isDraft: false, shared: { turns: [], attachments: [notes] } })
  const written = takeOver({ ...emptyState, turns: [sent], attachments: [notes] })
  expect(written).toMatchObject({ prompt: '', isDraft: true, shared: { turns: [sent], attachments: [notes] } })
  expect(sharedFiles(written.shared)).toEqual([notes, notes])
})
