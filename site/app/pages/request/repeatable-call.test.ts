import { expect, test } from 'vitest'
import { answerText } from './answer-text.ts'
import { repeatableCall } from './repeatable-call.ts'

test('a request is sent again as it was, but as one document, and nothing is stored again', () => {
  const body = { model: 'a', input: 'Hi', stream: true, stream_options: {}, store: true, metadata: { a: 'b' } }
  expect(repeatableCall('responses', body)).toMatchObject({
    call: 'respondInPlayground',
    body: { model: 'a', input: 'Hi', store: false },
  })
  expect(repeatableCall('messages', { model: 'a', messages: [], system: 'x', stream: true })).toMatchObject({
    call: 'messageInPlayground',
    body: { model: 'a', messages: [], system: 'x' },
  })
  const embedding = { model: 'a', input: ['x'], dimensions: 2 }
  expect(repeatableCall('embeddings', embedding)).toEqual({ call: 'embedInPlayground', longest: null, body: embedding })
})

test('an answer is indented, and each vector is on one line', () => {
  expect(answerText('{"data":[{"embedding":[0.5,-1e-7,3]}],"text":"[\\n1, 2]","empty":[]}')).toBe(
    `{
  "data": [
    {
      "embedding": [0.5, -1e-7, 3]
    }
  ],
  "text": "[\\n1, 2]",
  "empty": []
}`,
  )
  expect(answerText('no JSON')).toBe('no JSON')
})

test('a list of long numbers and something else stays as it is, and is read at once', () => {
  const list = [1 / 3, 2 / 3, 'x']
  expect(answerText(JSON.stringify(list))).toBe(JSON.stringify(list, null, 2))
})
