import { expect, test } from 'vitest'
import { createReadProgress } from './read-progress.ts'

test('only the newest fifty are read, only what went on is sent, and nothing is read while nothing runs', async () => {
  const asked: number[] = []
  let tokens = 0
  const read = createReadProgress('org_1', {
    async progress(_, open) {
      asked.push(open.length)
      return open.map((sequence) => ({
        requestId: `req_${sequence}`,
        completionTokens: sequence === 80 ? tokens : 3,
        afterMs: 500,
      }))
    },
  })
  const open = Array.from({ length: 80 }, (_, index) => index + 1)
  expect((await read(open)).map(({ id }) => id)).toEqual(open.slice(30).map((sequence) => `req_${sequence}`))
  expect(await read(open)).toEqual([])
  tokens = 9
  expect(await read(open)).toEqual([{ id: 'req_80', completionTokens: 9, afterMs: 500 }])
  expect(await read([])).toEqual([])
  expect(asked).toEqual([50, 50, 50])
})
