import { expect } from 'vitest'

export type WireError = { message: string; type: string; param: string | null; code: string | null; limit?: object }

/** The error of an answer; fails unless it has the common shape of our errors. */
export const readError = async (response: Response): Promise<WireError> => {
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w{24}$/)
  const body = (await response.json()) as { error: WireError }
  expect(Object.keys(body)).toEqual(['error'])
  const { limit: _, ...common } = body.error
  expect(Object.keys(common)).toEqual(['message', 'type', 'param', 'code'])
  expect(typesOf(response.status)).toContain(body.error.type)
  expect(body.error.message.length).toBeGreaterThan(0)
  return body.error
}

/** A refusal by a limit names the limit. */
const typesOf = (status: number): string[] => {
  if (status >= 500) return ['server_error']
  return ['invalid_request_error', ...(status === 429 ? ['requests', 'tokens', 'insufficient_quota'] : [])]
}
