import { expect, test } from 'vitest'
import { listProblems, type ServerState } from './list-problems.ts'

const now = Date.UTC(2001, 10, 15)
const dayMs = 86_400_000

const well: ServerState = {
  now,
  nodes: [],
  failedModels: [],
  upstreams: [],
  unwrittenRecords: 0,
  isRedisAway: false,
  certificateEndsAt: null,
  backup: { lastAt: now - dayMs, firstDataAt: 0, maxAgeMs: 7 * dayMs },
  diskFreeBytes: 50_000_000_000,
  today: { requests: 1000, failed: 10 },
  isConfigChanged: false,
}

const node = (name: string, seenMsAgo: number, version = '1') => ({
  ...{ id: name, name, address: '', version, startedAt: 0, seenMsAgo, status: null, certificate: '' },
  ...{ kind: 'server' as const, engine: null, isOwn: false },
})

const kinds = (state: Partial<ServerState>) =>
  listProblems({ ...well, ...state }).map(({ kind, level }) => [kind, level])

test('a server in order has no problems', () => {
  expect(listProblems(well)).toEqual([])
  expect(listProblems({ ...well, certificateEndsAt: now + 30 * dayMs, nodes: [node('a', 4000)] })).toEqual([])
})

test('what stops requests comes before what will', () => {
  const problems = listProblems({
    ...well,
    nodes: [node('a', 0), node('b', 60_000, '2')],
    failedModels: ['large'],
    upstreams: [{ name: 'gpu-1', state: 'paused', pauseReason: 'failures', nodes: 1, pausedNodes: 1 }],
    unwrittenRecords: 7,
    isRedisAway: true,
    isConfigChanged: true,
    backup: { lastAt: now - 8 * dayMs, firstDataAt: 0, maxAgeMs: 7 * dayMs },
    certificateEndsAt: now + 3 * dayMs,
    today: { requests: 20, failed: 1 },
  })
  expect(problems).toEqual([
    { kind: 'ledger', level: 'bad', subject: null, at: null, figure: 7 },
    { kind: 'node', level: 'bad', subject: 'b', at: now - 60_000, figure: null },
    { kind: 'model', level: 'bad', subject: 'large', at: null, figure: null },
    { kind: 'certificate', level: 'warn', subject: null, at: now + 3 * dayMs, figure: null },
    { kind: 'redis', level: 'warn', subject: null, at: null, figure: null },
    { kind: 'upstream', level: 'warn', subject: 'gpu-1', at: null, figure: null },
    { kind: 'errors', level: 'warn', subject: null, at: null, figure: 5 },
    { kind: 'backup', level: 'warn', subject: null, at: now - 8 * dayMs, figure: null },
    { kind: 'versions', level: 'warn', subject: null, at: null, figure: 2 },
    { kind: 'configuration', level: 'warn', subject: null, at: null, figure: null },
  ])
})

test('a certificate that has expired and a disk that is nearly full stop requests', () => {
  expect(kinds({ certificateEndsAt: now })).toEqual([['certificate', 'bad']])
  expect(kinds({ diskFreeBytes: 99_000_000 })).toEqual([['disk', 'bad']])
  expect(kinds({ diskFreeBytes: 900_000_000 })).toEqual([['disk', 'warn']])
})

test('a new server has a week for its first backup', () => {
  expect(kinds({ backup: { lastAt: null, firstDataAt: now - dayMs, maxAgeMs: 7 * dayMs } })).toEqual([])
  expect(kinds({ backup: { lastAt: null, firstDataAt: now - 7 * dayMs, maxAgeMs: 7 * dayMs } })).toEqual([
    ['backup', 'warn'],
  ])
  expect(kinds({ backup: null })).toEqual([])
})

test('with a schedule, a backup that is missing or old is a problem as soon as the doctor says so', () => {
  const maxAgeMs = dayMs
  expect(kinds({ backup: { lastAt: now - dayMs, firstDataAt: 0, maxAgeMs } })).toEqual([['backup', 'warn']])
  expect(kinds({ backup: { lastAt: null, firstDataAt: now - dayMs, maxAgeMs } })).toEqual([['backup', 'warn']])
})

test('a few errors among few requests say nothing', () => {
  expect(kinds({ today: { requests: 19, failed: 19 } })).toEqual([])
})
