import { expect, test } from 'vitest'
import type { HookText } from './hook.ts'
import { createPatternHook } from './pattern-hook.ts'

const createHook = (patterns: readonly string[]) =>
  createPatternHook(
    {
      ...{ name: 'own', phases: ['before'], onFailure: 'block', url: null, secrets: ['api_keys'], action: 'redact' },
      patterns,
    },
    { maxSteps: 2_000_000 },
  )
const context = { requestId: 'req_1', organisationId: 'org_1', keyId: null, endpoint: 'playground', model: 'helix-v1' }

/** How many turns others had until the hook decided. */
const checkWithOthers = async (patterns: readonly string[], texts: readonly HookText[]) => {
  let turns = 0
  let isDone = false
  const takeTurns = (): void => {
    turns += 1
    if (!isDone) setImmediate(takeTurns)
  }
  setImmediate(takeTurns)
  const decision = await createHook(patterns)
    .check(texts, 'before', context, new AbortController().signal)
    .catch((error: Error) => error.message)
    .finally(() => {
      isDone = true
    })
  return { decision, turns }
}

test('others have many turns while a pattern reads a text that takes it long', async () => {
  const texts = [{ role: 'user', text: `${'a'.repeat(200)} heron` }]
  const { decision, turns } = await checkWithOthers(['[a-z]{0,120}[0-9]x', 'heron'], texts)
  expect(decision).toMatchObject({ type: 'replace', count: 1 })
  expect(turns).toBeGreaterThan(5)
})

test('nor do many short texts keep others waiting', async () => {
  const texts = Array.from({ length: 5_000 }, () => ({ role: 'user', text: 'a project of ours' }))
  const { decision, turns } = await checkWithOthers(['project (falcon|heron)'], texts)
  expect(decision).toEqual({ type: 'allow' })
  expect(turns).toBeGreaterThan(2)
})

test('texts that take too long together are not decided about', async () => {
  const texts = Array.from({ length: 4 }, () => ({ role: 'user', text: 'a'.repeat(2000) }))
  const { decision } = await checkWithOthers(['([a-z]{0,20}){0,6}[0-9]x'], texts)
  expect(decision).toBe('the texts take too long')
})

test('patterns that are too complex together are refused', () => {
  const complex = '([a-z]{0,20}){0,6}[0-9]x'
  expect(() => createHook([complex])).not.toThrow()
  expect(() => createHook(Array.from({ length: 50 }, () => complex))).toThrow('together with the others')
})
