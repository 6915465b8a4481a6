import { expect, test } from 'vitest'
import { noLimits } from '../../store/limit-names.ts'
import { createCallerNumbers } from './caller-numbers.ts'

const callerOf = (id: string, limits = noLimits) => ({ organisationId: 'org_1', ownerId: 'usr_1', key: { id, limits } })

test('a caller is told of once, and again when its limits or its owner are others', () => {
  const numberOf = createCallerNumbers()
  const one = callerOf('key_1')
  expect(numberOf(one)).toEqual({ number: 0, caller: one })
  expect(numberOf({ ...one })).toEqual({ number: 0, caller: null })
  expect(numberOf(callerOf('key_2'))).toMatchObject({ number: 1, caller: { key: { id: 'key_2' } } })
  const limited = callerOf('key_1', { ...noLimits, requestsPerMinute: 1 })
  expect(numberOf(limited)).toEqual({ number: 0, caller: limited })
  expect(numberOf(limited)).toEqual({ number: 0, caller: null })
  expect(numberOf({ ...limited, ownerId: 'usr_2' })).toMatchObject({ number: 0, caller: { ownerId: 'usr_2' } })
})

test('when there are too many, numbers are used again, and their callers are told of again', () => {
  const numberOf = createCallerNumbers(2)
  for (const id of ['key_1', 'key_2', 'key_3']) numberOf(callerOf(id))
  expect(numberOf(callerOf('key_3'))).toEqual({ number: 0, caller: null })
  expect(numberOf(callerOf('key_1'))).toMatchObject({ number: 1, caller: { key: { id: 'key_1' } } })
})
