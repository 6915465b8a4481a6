import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import type { NumberedEvent } from '../store/audit-contract.ts'
import { openAuditExport } from './audit-export.ts'

const eventOf = (sequence: number): NumberedEvent => ({
  ...{
    sequence,
    cursor: `1.${sequence}`,
    at: 1,
    organisationId: null,
    action: 'key.created',
    target: null,
    details: {},
  },
  actor: { kind: 'command_line', id: null, name: null, address: null },
})
const silent = { info: () => {}, warn: () => {}, error: () => {} }

test('an event whose transaction ended late is copied too, and a number that was rolled back is passed over', async () => {
  const clock = createManualClock()
  const positionPath = join(await tempDir(), 'position')
  /** As they become visible. */
  let visible = [3, 4, 6]
  const copied: number[] = []
  const asked: number[] = []
  const task = openAuditExport({
    ...{ target: 'file', positionPath, clock, log: silent },
    records: {
      async since(after) {
        asked.push(after)
        return visible.filter((sequence) => sequence > after).map(eventOf)
      },
    },
    sink: async (events) => void copied.push(...events.map(({ sequence }) => sequence)),
  })
  onTestFinished(() => task.close())
  const pass = async (byMs = 5_000): Promise<void> => {
    await clock.awaited(5_000)
    clock.advance(byMs)
    await clock.awaited(5_000)
  }
  await pass()
  // 5 is missing, so it is not passed over yet.
  expect([copied, asked.at(-1)]).toEqual([[3, 4, 6], 4])
  visible = [3, 4, 5, 6, 8]
  await pass()
  expect(copied).toEqual([3, 4, 6, 5, 8])
  await pass()
  expect(asked.at(-1)).toBe(6)
  await pass(60_000)
  await pass()
  expect([copied, asked.at(-1), readFileSync(positionPath, 'utf8')]).toEqual([[3, 4, 6, 5, 8], 8, '8\n'])
})
