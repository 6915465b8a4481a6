import { expect, test } from 'vitest'
import { readLitellmApart } from './read-litellm-apart.ts'

const job = { text: 'model_list: [{ model_name: m, litellm_params: { model: gpt-x, api_key: k } }]', currency: 'USD' }
const script = (text: string) => ({ file: new URL(`data:text/javascript,${encodeURIComponent(text)}`) })

test('a file is read on a thread of its own', async () => {
  expect(await readLitellmApart(job)).toMatchObject({ config: { upstreams: [{ preset: 'openai' }] } })
  expect(await readLitellmApart({ ...job, text: '{}' })).toEqual({ problem: 'The file has no model_list.' })
})

test('a thread that fails is no fault of the file', async () => {
  await expect(readLitellmApart(job, script('process.exit(3)'))).rejects.toMatchObject({ kind: 'crashed' })
  await expect(readLitellmApart(job, script('throw new Error("broken")'))).rejects.toMatchObject({ kind: 'crashed' })
})
