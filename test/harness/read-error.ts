import { expect } from 'vitest'

export type WireError = { message: string; type: string; param: string | null; code: string | null }

/** The error of an answer; fails unless it has the shape every error of ours has, whatever went wrong. */
export const readError = async (response: Response): Promise<WireError> => {
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w{24}$/)
  const body = (await response.json()) as { error: WireError }
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error)).toEqual(['message', 'type', 'param', 'code'])
  expect(body.error.type).toBe(response.status >= 500 ? 'server_error' : 'invalid_request_error')
  expect(body.error.message.length).toBeGreaterThan(0)
  return body.error
}
