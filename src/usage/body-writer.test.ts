import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import type { StoredBodies } from '../store/body-contract.ts'
import { cutText, openBodyWriter } from './body-writer.ts'

const bodiesOf = (requestId: string, length = 10): StoredBodies => ({
  requestId,
  organisationId: 'org_1',
  request: { text: 'x'.repeat(length), isCut: false },
  answer: null,
  createdAt: 1,
})

const open = async () => {
  const clock = createManualClock()
  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  const written: string[][] = []
  const disk = { isFull: false, unwanted: 0, keeping: ['org_1'] }
  const elsewhere: string[] = []
  const bodies = await openBodyWriter({
    records: {
      keeping: async () => disk.keeping,
      async keep(batch) {
        if (disk.isFull) throw new Error('no space left')
        written.push(batch.map(({ requestId }) => requestId))
      },
      async removeUnwanted() {
        disk.unwanted = Math.max(0, disk.unwanted - 50)
        return disk.unwanted
      },
    },
    clock,
    log,
    onSwitchedElsewhere: () => void elsewhere.push('switched'),
  })
  const pass = async (): Promise<void> => {
    clock.advance(500)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { bodies, written, disk, lines, clock, pass, elsewhere }
}

test('organisations that store bodies are known from the start, and can switch it on and off', async () => {
  const { bodies, disk } = await open()
  expect([bodies.isKept('org_1'), bodies.isKept('org_2')]).toEqual([true, false])
  bodies.switchedOn('org_2')
  disk.unwanted = 120
  await bodies.switchedOff('org_1')
  expect([bodies.isKept('org_1'), bodies.isKept('org_2'), disk.unwanted]).toEqual([false, true, 0])
})

test('what another node has switched is said once, so that no worker relies on what it knew', async () => {
  const { bodies, disk, elsewhere } = await open()
  await bodies.reload()
  expect(elsewhere).toEqual([])
  disk.keeping = ['org_1', 'org_2']
  await bodies.reload()
  await bodies.reload()
  expect([bodies.isKept('org_2'), elsewhere]).toEqual([true, ['switched']])
  disk.keeping = ['org_2']
  await bodies.reload()
  expect([bodies.isKept('org_1'), elsewhere]).toEqual([false, ['switched', 'switched']])
})

test('bodies are written a few megabytes at a time, in order, and close writes the rest', async () => {
  const { bodies, written, pass, clock } = await open()
  for (let count = 0; count < 5; count += 1) bodies.add(bodiesOf(`req_${count}`, 2_000_000))
  expect(written).toEqual([])
  await pass()
  expect(written).toEqual([['req_0', 'req_1']])
  await bodies.close()
  expect(written.flat()).toEqual(['req_0', 'req_1', 'req_2', 'req_3', 'req_4'])
  expect(clock.pending()).toBe(0)
})

test('the queue is bounded: the rest is dropped, and the log says so', async () => {
  const { bodies, written, lines, pass } = await open()
  for (let count = 0; count < 20; count += 1) bodies.add(bodiesOf(`req_${count}`, 2_000_000))
  await pass()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'bodies_left_out', requests: 4 }])
  await bodies.close()
  expect(written.flat()).toHaveLength(16)
})

test('failed writes are retried', async () => {
  const { bodies, written, lines, disk, pass } = await open()
  disk.isFull = true
  bodies.add(bodiesOf('req_1'))
  await pass()
  bodies.add(bodiesOf('req_2'))
  disk.isFull = false
  await pass()
  expect(written).toEqual([['req_1', 'req_2']])
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['ledger_write_failed', 'ledger_write_recovered'])
  await bodies.close()
})

test('a text that is too long is truncated between two characters', () => {
  expect(cutText('short')).toEqual({ text: 'short', isCut: false })
  const { text, isCut } = cutText('語'.repeat(100_000))
  expect([isCut, text]).toEqual([true, '語'.repeat(Math.floor(262_144 / 3))])
})
