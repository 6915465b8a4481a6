import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { createLog, errorText, type LogFields } from './log.ts'

const startedAt = Date.UTC(2001, 0, 2, 3, 4, 5)
const write = (
  format: 'json' | 'text',
  event: string,
  fields?: LogFields,
  level: 'info' | 'warn' | 'error' = 'info',
) => {
  const lines: string[] = []
  const hideSecrets = (line: string): string => line.replaceAll('secret', '[hidden]')
  const clock = createManualClock(startedAt)
  createLog({ clock, format, write: (line) => lines.push(line), hideSecrets })[level](event, fields)
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

test('as JSON, an event is one object on one line', () => {
  expect(write('json', 'request', { status: 200, path: '/x', none: undefined, nothing: null }, 'warn')).toBe(
    '{"time":"2001-01-02T03:04:05.000Z","level":"warn","event":"request","status":200,"path":"/x","nothing":null}\n',
  )
})

test('as text, an event is a time, a name and its fields', () => {
  expect(write('text', 'started')).toMatch(/^\d\d:\d\d:\d\d started\n$/)
  expect(write('text', 'request', { status: 200, path: '/x y', ok: true, none: undefined, nothing: null })).toMatch(
    / request status=200 path="\/x y" ok=true\n$/,
  )
  expect(write('text', 'request', {}, 'error')).toMatch(/ ERROR request\n$/)
})

test('secrets are hidden in the whole line', () => {
  expect(write('json', 'x', { path: '/secret', secret: 1 })).not.toContain('secret')
  expect(write('text', 'x', { path: '/a secret' })).not.toContain('secret')
})

test('no value can add a line, move the cursor or change the text direction', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      '\n',
      '\r',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u009b',
      '\u2028',
      '\u2029',
      '\u061c',
      '\u200f',
      '\u202e',
      '\u2066',
      'a',
      '"',
      '\\',
      '=',
    ),
  })
  fc.assert(
    fc.property(nasty, (value) => {
      for (const format of ['json', 'text'] as const) {
        const line = write(format, 'x', { value })
        expect(line).toMatch(/^[^\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+\n$/u)
        if (format === 'json') expect(JSON.parse(line).value).toBe(value)
      }
    }),
  )
})

test('an error is shown with its stack, anything else as it is', () => {
  expect(errorText(new Error('why'))).toMatch(/^Error: why\n +at /)
  expect(errorText('why')).toBe('why')
  expect(errorText(undefined)).toBe('undefined')
})

test('text that a JSON parser rejected is not shown', () => {
  const messages = ['private words', '{"private": words}', '["private"', '"private\u0001"'].map((text) => {
    try {
      return JSON.parse(text)
    } catch (error) {
      return errorText(error)
    }
  })
  for (const message of messages) {
    expect(message).toMatch(/^SyntaxError: \(message hidden\)\n +at /)
    expect(message).not.toMatch(/private|words/)
  }
})

const openCounted = () => {
  const clock = createManualClock(startedAt)
  const lines: Record<string, unknown>[] = []
  const log = createLog({
    clock,
    format: 'json',
    write: (line) => lines.push(JSON.parse(line)),
    hideSecrets: (line) => line,
  })
  return { clock, lines, log }
}

test('lines that repeat are written ten times in ten seconds, then once with their number', () => {
  const { clock, lines, log } = openCounted()
  for (let line = 1; line <= 25; line += 1) {
    log.warn('upstream_retry', { upstream: 'a', attempt: line })
    log.warn('upstream_retry', { upstream: 'b' })
    clock.advance(100)
  }
  expect(lines).toHaveLength(20)
  clock.advance(10_000)
  expect(lines.slice(20)).toMatchObject([
    { event: 'upstream_retry', upstream: 'a', attempt: 25, repeated: 15, level: 'warn' },
    { event: 'upstream_retry', upstream: 'b', repeated: 15 },
  ])
  expect(clock.pending()).toBe(0)
  log.warn('upstream_retry', { upstream: 'a', attempt: 26 })
  expect(lines.at(-1)).not.toHaveProperty('repeated')
})

test('lines about requests are never left out, and counts are written when the process ends', () => {
  const { lines, log } = openCounted()
  for (let line = 0; line < 50; line += 1)
    log.error('request_failed', { requestId: `req_${line}`, error: 'internal_error' })
  expect(lines).toHaveLength(50)
  for (let line = 0; line < 12; line += 1) log.info('engine_output', { text: 'again' })
  log.flush()
  expect(lines.at(-1)).toMatchObject({ event: 'engine_output', repeated: 2 })
})

test('any number of kinds of lines is kept in bounded memory', () => {
  const { clock, lines, log } = openCounted()
  for (let line = 0; line < 5_000; line += 1) log.warn('node_refused', { address: `10.0.${line >> 8}.${line & 255}` })
  expect(lines).toHaveLength(5_000)
  expect(clock.pending()).toBe(0)
  expect(log.recentProblems()).toHaveLength(200)
  expect(log.recentProblems().at(-1)).toContain('10.0.19.135')
})
