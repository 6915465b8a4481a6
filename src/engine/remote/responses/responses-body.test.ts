import { expect, test } from 'vitest'
import { openSampling } from '../../../../test/harness/engine-request.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import { responsesBody } from './responses-body.ts'

const members = { prompt_cache_key: '"repo"', safety_identifier: '"anna"', user: '"anna"', truncation: '"auto"' }
const sent = (scope: string): unknown => {
  const options = {
    model: 'big',
    fields: new Set<string>(),
    stream: false,
    tenant: 'usr_1',
    scope,
    sendsReasoning: true,
  }
  const body = responsesBody({ api: 'responses', input: [], members, builtInTools: [] }, openSampling, options)
  return typeof body === 'string' ? parseJsonText(body) : null
}

test('names that callers choose are the same in each request of an organisation, and others in another organisation', () => {
  expect(sent('org_1')).toEqual(sent('org_1'))
  expect(sent('org_1')).toMatchObject({ truncation: 'auto' })
  const short = expect.stringMatching(/^[\w-]{43}$/)
  expect(sent('org_1')).toMatchObject({ prompt_cache_key: short, safety_identifier: short, user: short })
  for (const name of ['prompt_cache_key', 'safety_identifier', 'user']) {
    expect(sent('org_1')).not.toHaveProperty(name, expect.stringMatching(/repo|anna/))
    const { [name]: other } = { ...Object(sent('org_2')) }
    expect(sent('org_1')).not.toHaveProperty(name, other)
  }
})
