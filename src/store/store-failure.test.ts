import { expect, test } from 'vitest'
import { OperatorError } from '../base/operator-error.ts'
import { toApiError } from '../http/respond.ts'
import { StoreFailure, StoreUnavailable } from './store-failure.ts'

test('a caller may try again when the database is away, and learns nothing of the reason', () => {
  const error = toApiError(new StoreUnavailable('postgres://host refused'), 'req_1')
  expect(error).toMatchObject({ errorName: 'store_unavailable', status: 503, options: { retryAfterMs: 1000 } })
  expect(error.message).not.toContain('postgres')
})

test('any other failure that the operator can fix is an internal error for a caller', () => {
  for (const failure of [new StoreFailure('the disk is full'), new OperatorError('no such directory')]) {
    const error = toApiError(failure, 'req_1')
    expect(error).toMatchObject({ errorName: 'internal_error', options: { cause: failure } })
    expect(error.message).not.toContain(failure.message)
  }
})
