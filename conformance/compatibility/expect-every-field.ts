import { expect } from 'vitest'
import type { JsonSchema } from '../../src/http/schema/schema.ts'
import type { FieldSupport } from './field-support.ts'

/** The rows name every field of the body, and no other. */
export const expectEveryField = ({ properties }: JsonSchema, rows: readonly FieldSupport[]): void => {
  const names = Object.keys(Object(properties))
  const listed = new Set(rows.map(({ field }) => field.replace(/\..*/, '')))
  expect(names.filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !names.includes(name))).toEqual(['any other field'])
}
