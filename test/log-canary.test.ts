import { EventEmitter, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../src/base/api-error.ts'
import { systemClock } from '../src/base/clock.ts'
import { openRemoteEngine } from '../src/engine/remote/remote-engine.ts'
import type { Script } from '../src/engine/scripted.ts'
import { createLogCatcher } from './harness/log-catcher.ts'
import { openRawConnection } from './harness/raw-connection.ts'
import { type Helix, modelName, startHelix } from './harness/start-helix.ts'

/** Stands in every place where something private can stand. */
const canary = 'Xyzzy'
/** The name of an unknown field, which is shown with its request but never logged. A name that is text is neither. */
const fieldName = 'plugh'
const text = `my ${canary}`
const headers = (helix: Helix) => ({
  ...helix.authorized,
  cookie: `session=${canary}`,
  'user-agent': canary,
  'x-forwarded-for': canary,
  referer: `http://${canary}/`,
})
const ask = (helix: Helix, body: Record<string, unknown> | string, more = {}): Promise<string> =>
  fetch(`${helix.url}/v1/chat/completions?${canary}=${canary}`, {
    method: 'POST',
    headers: { ...headers(helix), ...more },
    body: typeof body === 'string' ? body : JSON.stringify({ model: modelName, ...prompt('talk'), ...body }),
  })
    .then((response) => response.text())
    .catch(String)
const prompt = (what: string) => ({ messages: [{ role: 'user', content: `${what} ${canary}`, name: canary }] })

/** What a JSON parser throws quotes the text it could not read. */
const parserError = (): Error => {
  try {
    return JSON.parse(canary)
  } catch (error) {
    return error as Error
  }
}
const faults: Record<string, Error> = {
  parser: parserError(),
  refused: ApiError.of('template_refused', { reason: canary }),
  upstream: ApiError.of('upstream_failed', {}, { cause: parserError() }),
}
const answer: Script = function* (messages) {
  const [what = '', when] = messages[0]?.content.split(' ') ?? []
  if (when === 'late') yield canary
  const fault = faults[what]
  if (fault !== undefined) yield { fail: fault }
  yield `an answer of ${canary}`
  if (what !== 'wait') return
  begun.emit('wait')
  yield { pause: new Promise(() => {}) }
}
const begun = new EventEmitter()

/** Every way a request can end that a client can bring about. Resolves to the number of requests. */
const misbehave = async (helix: Helix): Promise<number> => {
  const unauthorized = { authorization: `Bearer ${helix.key}${canary}` }
  const bodies: (Record<string, unknown> | string)[] = [
    {},
    { stream: true },
    { stream: true, stop: canary },
    `{"${canary}": ${canary}`,
    `${canary}`,
    { [text]: canary },
    { [fieldName]: canary },
    { messages: [{ role: canary, content: canary }] },
    { messages: [{ role: 'user', content: [{ type: canary }] }] },
    { messages: [{ role: 'user', content: canary, [text]: canary }] },
    { metadata: { [canary]: canary } },
    { messages: [{ role: 'user', content: canary.repeat(5000) }] },
  ]
  for (const body of bodies) await ask(helix, body)
  for (const fault of Object.keys(faults))
    for (const when of ['early', 'late'])
      for (const stream of [false, true]) await ask(helix, { ...prompt(`${fault} ${when}`), stream })
  const refusals = [
    { authorization: `Basic ${canary}` },
    unauthorized,
    { 'content-type': canary },
    { 'content-encoding': canary },
  ]
  for (const refused of refusals) await ask(helix, {}, refused)
  const paths = [
    `/${canary}`,
    `/v1/models/${canary}`,
    `/v1/${canary}/${helix.key}?${helix.key}`,
    `/v1/models?${canary}`,
  ]
  for (const path of paths) await fetch(helix.url + path, { headers: headers(helix) })
  await fetch(`${helix.url}/v1/models/${canary}`, { method: 'PUT', headers: headers(helix) })
  const raw = [`${canary}\r\n\r\n`, `GET /${canary} HTTP/1.1\r\nhost: x\r\nexpect: ${canary}\r\n\r\n`]
  for (const text of raw) {
    const connection = await openRawConnection(helix.url)
    connection.send(text)
    await connection.ended()
  }
  for (const stream of [false, true]) await leave(helix, stream)
  return bodies.length + Object.keys(faults).length * 4 + refusals.length + paths.length + 1 + raw.length + 2
}

const leave = async (helix: Helix, stream: boolean): Promise<void> => {
  const leaving = new AbortController()
  const asked = helix
    .chat({ ...prompt('wait'), stream }, { signal: leaving.signal })
    .then((response) => response.text())
  await once(begun, 'wait')
  leaving.abort()
  await asked.catch(() => {})
}

const expectNothingPrivate = (helix: Helix): void => {
  for (const line of helix.logLines) {
    expect(line.toLowerCase()).not.toContain(canary.toLowerCase())
    expect(line).not.toContain(fieldName)
    expect(line).not.toContain(helix.key.slice(8, 20))
    // One event, one line, and nothing that could look like another or move a cursor.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*\n$/)
  }
}

/** Nobody asked for anything to be kept, so no file has any of it. */
const expectNothingOnDisk = ({ dataDir }: Helix): void => {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContain('helix.db')
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name), 'latin1').toLowerCase()).not.toContain(canary.toLowerCase())
}

describe.each(['json', 'text'] as const)('the log as %s', (logFormat) => {
  test('contains nothing of keys, cookies, prompts, answers, paths or broken bodies', async () => {
    const helix = await startHelix({ answer, logFormat })
    const requests = await misbehave(helix)
    await helix.server.close()
    expectNothingPrivate(helix)
    expectNothingOnDisk(helix)
    const events = helix.logLines.filter((line) => /"event":"request"|^[\d:]+ (ERROR )?request /.test(line))
    // And one for the making of the key.
    expect(events).toHaveLength(requests + 1)
  })

  test('contains nothing that an upstream sent, valid or not', async () => {
    const upstream = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: {"choices":[{"delta":{"content":"${canary}"}}]}\n\n`)
      response.end(`data: ${canary} {"choices"\n\n`)
    })
    upstream.listen(0, '127.0.0.1')
    onTestFinished(() => {
      upstream.close()
    })
    await once(upstream, 'listening')
    const { port } = upstream.address() as AddressInfo
    const helix = await startHelix({
      logFormat,
      startEngine: () =>
        openRemoteEngine({
          baseUrl: `http://127.0.0.1:${port}/v1`,
          key: canary,
          upstreamModel: 'm',
          name: modelName,
          contextTokens: null,
          slots: 1,
          created: 0,
          log: createLogCatcher({ clock: systemClock, format: logFormat }).log,
        }),
    })
    const response = await helix.chat(prompt('talk'))
    expect(response.status).toBe(502)
    await helix.server.close()
    expect(helix.logLines.join('')).toContain('upstream_failed')
    expectNothingPrivate(helix)
  })

  test('has one line per event, whatever a request contains', async () => {
    const helix = await startHelix({ logFormat })
    const forged = '\n{"event":"forged"}\r\u001b[2J\u009b2J\u0085\u2028\u202eforged'
    expect((await helix.chat({ model: forged })).status).toBe(404)
    await fetch(`${helix.url}/v1/%0a%7b%22event%22%3a%22forged%22%7d`)
    const connection = await openRawConnection(helix.url)
    connection.send('GET /x\u0085\u2028forged HTTP/1.1\r\nhost: x\r\n\r\n')
    await connection.answer()
    await helix.server.close()
    expectNothingPrivate(helix)
    expect(helix.logLines.filter((line) => line.startsWith('{"event"'))).toEqual([])
  })
})

test('one event describes the outcome of a request', async () => {
  const helix = await startHelix()
  const response = await helix.chat({ stream: true })
  await response.text()
  const requestId = response.headers.get('x-request-id')
  expect(await helix.logged({ requestId })).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: 'info',
    event: 'request',
    requestId,
    method: 'POST',
    path: '/v1/chat/completions',
    status: 200,
    durationMs: expect.any(Number),
    clientAddress: '127.0.0.1',
    keyId: expect.stringMatching(/^key_/),
    organisationId: expect.stringMatching(/^org_/),
    model: modelName,
    stream: true,
    reservedTokens: expect.any(Number),
    queueMs: expect.any(Number),
    firstTokenMs: expect.any(Number),
    finishReason: 'stop',
    promptTokens: 2,
    completionTokens: 4,
  })
})

test('an unknown path is logged with known segments only', async () => {
  const helix = await startHelix()
  const paths = ['/v1/v1/chat/completions', '/v1/secret/models', '//']
  const shown = ['/v1/v1/chat/completions', '/v1/…/models', '//']
  for (const [index, path] of paths.entries()) {
    const requestId = (await helix.get(path)).headers.get('x-request-id')
    expect(await helix.logged({ requestId })).toMatchObject({ status: 404, error: 'unknown_url', path: shown[index] })
  }
})

test('an unexpected error is logged with its cause and the request id of the response', async () => {
  const helix = await startHelix({ answer: () => [{ fail: new Error('the disk is on fire') }] })
  const requestId = (await helix.chat({})).headers.get('x-request-id')
  expect(await helix.logged({ requestId, event: 'request_failed' })).toMatchObject({
    level: 'error',
    error: 'internal_error',
    cause: expect.stringMatching(/^Error: the disk is on fire\n +at /),
  })
  expect(await helix.logged({ requestId, event: 'request' })).toMatchObject({ level: 'error', status: 500 })
})
