import { expect, test } from 'vitest'
import { refusalOf } from '../../test/harness/ledger-records.ts'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import type { Refusal } from '../store/request-log-contract.ts'
import { openRefusalLog } from './refusal-log.ts'

const open = () => {
  const clock = createManualClock()
  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  const written: Refusal[][] = []
  const notified: string[] = []
  const disk = { isFull: false }
  const refusals = openRefusalLog({
    records: {
      async refuse(batch) {
        if (disk.isFull) throw new Error('no space left')
        written.push([...batch])
      },
    },
    clock,
    log,
    onWritten: (organisationId) => void notified.push(organisationId),
  })
  const pass = async (): Promise<void> => {
    clock.advance(500)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { refusals, written, notified, disk, lines, clock, pass }
}

test('refusals are written together after a delay, and their organisations are notified', async () => {
  const { refusals, written, notified, pass, clock } = open()
  for (const organisation of ['org_1', 'org_1', 'org_2']) refusals.add(refusalOf(organisation))
  expect(written).toEqual([])
  await pass()
  expect(written.map((batch) => batch.length)).toEqual([3])
  expect(notified).toEqual(['org_1', 'org_2'])
  await refusals.close()
  expect(clock.pending()).toBe(0)
})

test('of a flood only the first are kept; the last says how many follow, and the log how many in total', async () => {
  const { refusals, written, lines, pass } = open()
  for (let count = 0; count < 150; count += 1) refusals.add(refusalOf('org_1'))
  refusals.add(refusalOf('org_2'))
  await pass()
  const [batch = []] = written
  expect(batch.map(({ leftOut }) => leftOut).filter((leftOut) => leftOut > 0)).toEqual([50])
  expect(batch).toHaveLength(101)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'refusals_left_out', requests: 50 }])
  await refusals.close()
})

test('refusals that cannot be written are kept within the same bounds, and close writes the rest', async () => {
  const { refusals, written, lines, disk, pass } = open()
  disk.isFull = true
  const first = refusalOf('org_1')
  refusals.add(first)
  await pass()
  refusals.add(refusalOf('org_1'))
  expect(written).toEqual([])
  disk.isFull = false
  await refusals.close()
  expect(written.map((batch) => batch.length)).toEqual([2])
  expect(written[0]?.[0]?.requestId).toBe(first.requestId)
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['ledger_write_failed', 'ledger_write_recovered'])
})
