import { expect, test } from 'vitest'
import { emptyState } from '../playground/playground-store.ts'
import { firstColumns, sharedFields, takeOver } from './take-over.ts'

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

test('tools and a schema are taken over by every column', () => {
  const { shared } = takeOver({ ...emptyState, settings: { ...settings, format: 'schema', schema: '{}', tools: '[]' } })
  expect(sharedFields(shared)).toEqual(['tools', 'seed', 'schema'])
})

test('probabilities of tokens are not asked for: columns do not show them, and another model may not have them', () => {
  const { shared } = takeOver({ ...emptyState, settings: { ...settings, logprobs: 'ids' } })
  expect(shared.settings.logprobs).toBe('off')
})
