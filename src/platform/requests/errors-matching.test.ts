import { expect, test } from 'vitest'
import { errorsMatching } from './errors-matching.ts'

test('an error is found by its code, its status, part of its message, and by a message with values in it', () => {
  expect(errorsMatching('INVALID_api_key')).toContain('revoked_api_key')
  expect(errorsMatching('401')).toContain('expired_api_key')
  expect(errorsMatching('40')).not.toContain('expired_api_key')
  expect(errorsMatching('grace period')).toEqual(['rotated_api_key'])
  expect(errorsMatching('API key hx_live_…abcd has been revoked.')).toEqual(['revoked_api_key'])
  expect(errorsMatching('req_0123456789')).toEqual([])
})
