import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { validBody, wrongBody } from '../harness/chat-bodies.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

/** The thorough run is beside the schema, in `request.test.ts`; this one goes through the whole server. */
const numRuns = 250

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ answer: () => ['ok'] })
  return helix.close
})

test('every valid body is answered', async () => {
  const answered = fc.asyncProperty(validBody, async (body) => {
    const response = await helix.post(JSON.stringify(body))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(body.stream === true ? '"chat.completion.chunk"' : '"chat.completion"')
  })
  await fc.assert(answered, { numRuns })
})

test('a single invalid value is a 400 that names its path', async () => {
  const refused = fc.asyncProperty(wrongBody, async ({ body, param }) => {
    const response = await helix.post(JSON.stringify(body), { 'x-helix-strict': '1' })
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ param })
  })
  await fc.assert(refused, { numRuns })
})

test('arbitrary bytes are a 400', async () => {
  const refused = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
    const response = await helix.post(Uint8Array.from(bytes))
    expect(response.status).toBe(400)
    await readError(response)
  })
  await fc.assert(refused, { numRuns })
})
