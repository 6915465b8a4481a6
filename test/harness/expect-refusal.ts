import { expect } from 'vitest'
import { readError } from './read-error.ts'
import type { Helix } from './start-helix.ts'

export type Expected = { param: string | null; code: string | null; message: RegExp | string }
export type Row = [title: string, body: Record<string, unknown>, expected: Expected]

/** The same answer, whether the client asked for a stream or not. */
export const expectRefusal = async (
  helix: Helix,
  body: Record<string, unknown>,
  { param, code, message }: Expected,
): Promise<void> => {
  for (const asked of [{}, { stream: true }]) {
    const response = await helix.chat({ ...asked, ...body })
    expect(response.status).toBe(400)
    const error = await readError(response)
    expect(error).toMatchObject({ param, code })
    expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  }
}

export const missing = (param: string): Expected => ({
  param,
  code: 'missing_required_parameter',
  message: `Missing required parameter: '${param}'.`,
})
export const wrongType = (param: string, expected: string, actual: string): Expected => ({
  param,
  code: 'invalid_type',
  message: `Invalid type for '${param}': expected ${expected}, but got ${actual} instead.`,
})
export const unsupported = (param: string): Expected => ({
  param,
  code: 'unsupported_parameter',
  message: `Unsupported parameter: '${param}' is not supported yet. Leave it out or give it its default value.`,
})
export const emptyArray = (param: string): Expected => ({
  param,
  code: 'empty_array',
  message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
})
export const coded = (param: string | null, code: string | null, message: RegExp | string): Expected => ({
  param,
  code,
  message,
})
