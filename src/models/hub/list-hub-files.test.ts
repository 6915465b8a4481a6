import { expect, test } from 'vitest'
import { startModelHub } from '../../../test/harness/model-hub.ts'
import { systemClock } from '../../base/clock.ts'
import { listHubFiles, readQuantisation } from './list-hub-files.ts'

test.each([
  ['Qwen3-4B-Instruct-Q4_K_M.gguf', 'Q4_K_M'],
  ['model.IQ3_XXS.gguf', 'IQ3_XXS'],
  ['gpt-oss-20b-mxfp4.gguf', 'MXFP4'],
  ['llama-bf16-00001-of-00002.gguf', 'BF16'],
  ['F16-story-Q8_0.gguf', 'Q8_0'],
  ['tiny.gguf', null],
])('the quantisation of %s is %s', (fileName, quantisation) => {
  expect(readQuantisation(fileName)).toBe(quantisation)
})

test('the parts of a split model are one; image projectors, and what could not be pulled, are left out', async () => {
  const bytes = (count: number) => Buffer.alloc(count)
  const { url } = await startModelHub({
    'a/b': {
      'big/m-Q8_0-00001-of-00002.gguf': bytes(700),
      'big/m-Q8_0-00002-of-00002.gguf': bytes(500),
      'm-Q4_0.gguf': bytes(900),
      'mmproj-m.gguf': bytes(5),
      '.hidden.gguf': bytes(5),
      'README.md': bytes(5),
    },
  })
  expect(await listHubFiles({ hubUrl: url, token: null, clock: systemClock }, 'a/b')).toEqual([
    {
      ...{ source: 'hf:a/b/m-Q4_0.gguf', from: `${url}/a/b/resolve/main/m-Q4_0.gguf`, name: 'm-Q4_0' },
      ...{ fileName: 'm-Q4_0.gguf', parts: 1, sizeBytes: 900, quantisation: 'Q4_0' },
    },
    {
      ...{ from: `${url}/a/b/resolve/main/big/m-Q8_0-00001-of-00002.gguf`, name: 'm-Q8_0' },
      ...{ source: 'hf:a/b/big/m-Q8_0-00001-of-00002.gguf', fileName: 'm-Q8_0-00001-of-00002.gguf' },
      ...{ parts: 2, sizeBytes: 1200, quantisation: 'Q8_0' },
    },
  ])
})
