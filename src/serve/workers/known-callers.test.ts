import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { noLimits } from '../../store/limit-names.ts'
import { createKnownCallers } from './known-callers.ts'

const caller = { organisationId: 'org_1', key: { id: 'key_1', limits: noLimits } }
const other = { organisationId: 'org_1', key: { id: 'key_2', limits: noLimits } }

const open = () => {
  const clock = createManualClock()
  let epoch = 1
  const callers = createKnownCallers({ clock, epoch: () => epoch })
  const change = (): void => {
    epoch += 1
  }
  return { clock, callers, change }
}

test('a caller that passed may be checked later, until something about keys or organisations changes', () => {
  const { callers, change } = open()
  expect(callers.mayCheckLater(caller, 100)).toBe(false)
  callers.passed(caller, true)
  expect(callers.mayCheckLater(caller, 100)).toBe(true)
  expect(callers.isKept('org_1')).toBe(true)
  change()
  expect(callers.mayCheckLater(caller, 100)).toBe(false)
  callers.passed(caller, false)
  expect(callers.mayCheckLater(caller, 100)).toBe(true)
  expect(callers.isKept('org_1')).toBe(false)
})

test('a caller that was refused is checked before its body is read for a minute, and others are not', async () => {
  const { callers, clock } = open()
  callers.passed(caller, false)
  callers.refused(caller)
  expect(callers.mayCheckLater(caller, 100)).toBe(false)
  expect(callers.mayCheckLater(other, 100)).toBe(true)
  await clock.advance(59_000)
  expect(callers.mayCheckLater(caller, 100)).toBe(false)
  await clock.advance(1001)
  expect(callers.mayCheckLater(caller, 100)).toBe(true)
})

test('long bodies, those of unknown length, and those beside many others are checked before', () => {
  const { callers } = open()
  callers.passed(caller, false)
  expect(callers.mayCheckLater(caller, 65_536)).toBe(true)
  expect(callers.mayCheckLater(caller, 65_537)).toBe(false)
  expect(callers.mayCheckLater(caller, null)).toBe(false)
  const leave = Array.from({ length: 256 }, () => callers.enterUnchecked())
  expect(callers.mayCheckLater(caller, 100)).toBe(false)
  for (const one of leave) one()
  expect(callers.mayCheckLater(caller, 100)).toBe(true)
})
