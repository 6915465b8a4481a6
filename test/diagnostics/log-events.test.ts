import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedDocs } from '../../scripts/generated-docs.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { schemaValidator } from '../harness/schema-validator.ts'
import { startHelix } from '../harness/start-helix.ts'

const path = 'docs/operate/log-events.schema.json'
const isEvent = schemaValidator(JSON.parse(readFileSync(path, 'utf8')))
const time = '2001-01-02T03:04:05.000Z'

test('the schema has every event that the sources contain, with its fields', () => {
  const text = generatedDocs()[path] ?? ''
  for (const event of ['request', 'request_failed', 'engine_output', 'certificate_changed', 'log_lines_dropped'])
    expect(text).toContain(`"event":{"const":"${event}"}`)
  expect(isEvent({ time, level: 'warn', event: 'log_lines_dropped', lines: 3 })).toBe(true)
  expect(isEvent({ time, level: 'info', event: 'log_lines_dropped', lines: 3 })).toBe(false)
  expect(isEvent({ time, level: 'warn', event: 'log_lines_dropped', line: 3 })).toBe(false)
  expect(isEvent({ time, level: 'warn', event: 'log_lines_droppd' })).toBe(false)
})

test('what a server logs is as the schema says, and one id finds a request in the answer, the log and the ledger', async () => {
  const helix = await startHelix({
    answer: (messages) => (JSON.stringify(messages).includes('fail') ? [{ fail: new Error('why') }] : ['Hello']),
  })
  const response = await helix.chat({ stream: true })
  await response.text()
  const requestId = response.headers.get('x-request-id')
  expect(await helix.logged({ requestId, event: 'request' })).toMatchObject({ status: 200, completionTokens: 1 })
  await helix.chat({ messages: [{ role: 'user', content: 'fail' }] })
  await helix.chat({ model: 'none' })
  await helix.get('/v1/nowhere')
  await helix.server.close()
  const lines = helix.logLines.map((line) => JSON.parse(line))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !isEvent(line))).toEqual([])
  expect(await readLedger(helix)).toContainEqual(expect.objectContaining({ requestId }))
})
