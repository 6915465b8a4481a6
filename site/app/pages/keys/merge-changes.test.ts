import { expect, test } from 'vitest'
import { emptyDraft, limitTexts } from './key-draft.ts'
import { mergeChanges } from './merge-changes.ts'
import { sampleKey } from './sample-key.ts'

const { limits: none } = sampleKey({})

test('typed values stay, and untouched fields show what somebody else saved', () => {
  const seen = { ...none, requestsPerMinute: 60, tokensPerDay: 1_000 }
  const typed = { ...limitTexts(seen), requestsPerMinute: '100' }
  const now = { ...none, requestsPerMinute: 30, tokensPerDay: null, tokensPerMonth: 9_000 }
  expect(mergeChanges(typed, seen, now)).toEqual({
    ...emptyDraft.limits,
    requestsPerMinute: '100',
    tokensPerMonth: '9000',
  })
})
