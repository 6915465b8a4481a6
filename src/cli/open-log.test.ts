import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { openLog } from './open-log.ts'

/** Both ends of a real connection: what is written to one and not read from the other waits, as with a pipe. */
const openPipe = async (): Promise<{ output: Socket; reader: Socket }> => {
  const path = join(await tempDir(), 'pipe')
  const server = createServer({ pauseOnConnect: true }).listen(path)
  await once(server, 'listening')
  const output = createConnection(path)
  const [reader] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    output.destroy()
    reader.destroy()
    server.close()
  })
  return { output, reader }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a reader that stalls costs lines, which are counted, and neither time nor memory', async () => {
  const { output, reader } = await openPipe()
  const log = openLog({ logFormat: 'json', logLevel: 'info' }, { output, clock: createManualClock() })
  const written = 8_000
  const text = 'x'.repeat(1_000)
  for (let line = 0; line < written; line += 1) {
    log.info('request', { requestId: `req_${line}`, text })
    if (line % 100 === 0) await turn()
  }
  await turn()
  expect(output.writableLength).toBeLessThanOrEqual(4_194_304)

  let received = ''
  let latest = ''
  reader.setEncoding('utf8')
  reader.on('data', (part: string) => {
    received += part
    latest = latest.slice(-1_000) + part
  })
  reader.resume()
  while (!latest.includes('log_lines_dropped')) await once(reader, 'data')
  log.info('request', { requestId: 'req_after' })
  while (!latest.includes('req_after')) await once(reader, 'data')
  const events: { event: string; lines?: number }[] = received
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const dropped = events.find(({ event }) => event === 'log_lines_dropped')?.lines ?? 0
  expect(dropped).toBeGreaterThan(0)
  // Every line was written or counted.
  expect(events.filter(({ event }) => event === 'request').length + dropped).toBe(written + 1)
})

test('events below the level of the settings are left out', async () => {
  const lines: string[] = []
  const output = { write: (text: string) => lines.push(text) > 0, writableLength: 0, once: () => {} }
  const log = openLog({ logFormat: 'json', logLevel: 'warn' }, { output, clock: createManualClock() })
  log.info('request', { requestId: 'req_1' })
  log.warn('redis_away')
  log.error('request', { requestId: 'req_2' })
  await turn()
  expect(
    lines
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event),
  ).toEqual(['redis_away', 'request'])
})
