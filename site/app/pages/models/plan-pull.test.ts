import { expect, test } from 'vitest'
import { planPull } from './plan-pull.ts'

const address = 'https://hub.example/someone/tiny-GGUF/resolve/main/tiny-Q4_0.gguf'
const file = { source: 'hf:someone/tiny-GGUF/tiny-Q4_0.gguf', from: address, name: 'tiny-Q4_0' }
const model = (id: string, pulledFrom: string | null, aliases: string[] = []) => ({
  id,
  aliases,
  installed: { pulledFrom },
})

test('a file is offered under its own name, unless a model, an alias or a download has that name', () => {
  expect(planPull(file, [model('other', null)], [])).toEqual({ kind: 'offered', name: 'tiny-Q4_0' })
  const other = 'https://hub.example/else/tiny-GGUF/resolve/main/tiny-Q4_0.gguf'
  const renamed = { kind: 'offered', name: 'someone-tiny-Q4_0' }
  expect(planPull(file, [model('tiny-q4_0', other)], [])).toEqual(renamed)
  expect(planPull(file, [model('other', null, ['tiny-Q4_0'])], [])).toEqual(renamed)
  expect(planPull(file, [], [{ name: 'tiny-Q4_0', from: other, state: 'paused' }])).toEqual(renamed)
})

test('a file whose model is here, or on its way, is known by its address and not by its name', () => {
  expect(planPull(file, [model('mine', address)], [])).toEqual({ kind: 'added' })
  expect(planPull(file, [], [{ name: 'mine', from: address, state: 'failed' }])).toEqual({
    kind: 'started',
    state: 'failed',
  })
})

test('a model that was removed again is offered again', () => {
  expect(planPull(file, [], [{ name: 'else', from: address, state: 'complete' }])).toEqual({
    kind: 'offered',
    name: 'tiny-Q4_0',
  })
})
