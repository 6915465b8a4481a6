import { expect, test } from 'vitest'
import type { UpstreamDescription } from './describe-upstream.ts'
import { unreachableModels } from './unreachable-models.ts'

type State = UpstreamDescription['state']
const upstream = (
  state: State,
  names: readonly string[],
  clashes: readonly string[] = [],
  pauseReason: UpstreamDescription['pauseReason'] = null,
) => {
  const models = names.map((name) => ({ name, upstreamName: name }) as UpstreamDescription['models'][number])
  return { state, models, clashes, pauseReason }
}

test('a model is out of reach if all of its upstreams are, and not if another serves it', () => {
  const upstreams = [
    upstream('paused', ['alone', 'shared', 'taken'], ['taken']),
    upstream('failing', ['alone']),
    upstream('active', ['shared', 'own']),
  ]
  expect([...unreachableModels(upstreams)]).toEqual(['alone'])
  expect(unreachableModels([]).size).toBe(0)
})

test('a model whose upstream says that it is busy is not out of reach', () => {
  expect(unreachableModels([upstream('paused', ['alone'], [], 'busy')]).size).toBe(0)
})
