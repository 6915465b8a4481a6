import { expect, test } from 'vitest'
import { embeddedFeatures } from './embedded-features.ts'

const always = ['grammar', 'logprobs', 'token_ids', 'template']

test('tools and reasoning are offered where the chat template knows of them', () => {
  expect(embeddedFeatures('{{ messages }}')).toEqual(always)
  expect(embeddedFeatures('{% if tools %}[TOOL]{% endif %}')).toEqual(always)
  expect(embeddedFeatures('{% if tools %}<tool_call>{% endif %}')).toEqual([...always, 'tools'])
  expect(embeddedFeatures('<think>')).toEqual([...always, 'reasoning'])
})
