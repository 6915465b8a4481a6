import { expect, test } from 'vitest'
import { sampleFault } from './sample-fault.ts'

const printed = (output: string, code = 0) => ({ missing: false, code, output }) as const

test('a sample passes that ends well and prints an answer', () => {
  expect(sampleFault('post("/messages")', printed('Rain wakes the soil.'))).toBeNull()
})

test.each([
  ['a failure', printed('Traceback', 1)],
  ['a refusal that a client reports', printed('Error code: 404 - not found')],
  ['a refusal as it was sent', printed('{"error":{"message":"No such model"}}')],
  ['nothing', printed('\n')],
  ['undefined', printed('undefined\n')],
  ['an empty completion', printed('{"choices":[{"index":0,"text":"","finish_reason":"stop"}]}')],
])('%s is a fault', (_, outcome) => {
  expect(sampleFault('post("/completions")', outcome)).not.toBeNull()
})

test('what the server never does must be refused', () => {
  const code = 'post("/moderations")'
  expect(sampleFault(code, printed('{"error":{"code":"unsupported_endpoint"}}'))).toBeNull()
  expect(sampleFault(code, printed('{"results":[]}'))).not.toBeNull()
})
