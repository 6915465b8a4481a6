import { expect } from 'vitest'
import type { FieldSupport } from './field-support.ts'

/** The answer to the sample of a row is as the row says. */
export const expectVerdict = async (response: Response, { verdict, code }: FieldSupport): Promise<void> => {
  const text = await response.text()
  if (verdict === 'refused') {
    expect(response.status).toBe(400)
    expect(String(JSON.parse(text).error.code)).toBe(code)
  } else {
    expect(response.status, text).toBe(200)
    expect(response.headers.has('x-helix-ignored-fields')).toBe(verdict === 'ignored and reported')
  }
}
