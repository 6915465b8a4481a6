import { at, isObject } from './containers.ts'
import { missing, wrongType } from './problem.ts'
import { oneOf } from './scalars.ts'
import { type Schema, schema } from './schema.ts'

type Branches = Partial<Record<'boolean' | 'string' | 'array' | 'object', Schema<unknown>>>
type ValueOf<Cases> = Cases[keyof Cases] extends Schema<infer Value> ? Value : never

/** A value that is one of several JSON types; `expected` names them as the official service does. */
export const byType = <const Cases extends Branches>(expected: string, cases: Cases): Schema<ValueOf<Cases>> => {
  const branches: Branches = cases
  return schema({ anyOf: Object.values(branches).map(({ json }) => json) }, (value) => {
    const type = readType(value)
    const branch = type === null ? undefined : branches[type]
    if (branch === undefined) throw wrongType(expected, value)
    return asValueOf<Cases>(branch(value))
  })
}

const readType = (value: unknown): keyof Branches | null => {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return 'array'
  return isObject(value) ? 'object' : null
}

/** Sound because the value was returned by one of the schemas of this table. */
const asValueOf = <Cases>(value: unknown): ValueOf<Cases> => value as ValueOf<Cases>

/** Objects that are distinguished by the value of one field, such as `type` or `role`. */
export const byField = <const Cases extends Record<string, Schema<unknown>>>(
  field: string,
  cases: Cases,
): Schema<ValueOf<Cases>> => {
  const branches = new Map(Object.entries(cases))
  const word = oneOf(...branches.keys())
  return schema({ oneOf: [...branches.values()].map(({ json }) => json) }, (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    if (value[field] === undefined) throw missing().under(field)
    return asValueOf<Cases>(findBranch(value[field])?.(value))
  })

  function findBranch(named: unknown): Schema<unknown> | undefined {
    try {
      return branches.get(word(named))
    } catch (error) {
      throw at(error, field)
    }
  }
}
