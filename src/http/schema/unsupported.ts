import { ApiError } from '../../base/api-error.ts'
import { Problem, unsupportedParameter } from './problem.ts'
import { oneOf } from './scalars.ts'
import { type Schema, schema } from './schema.ts'

/** A feature of some models only: values that ask for the default behaviour are accepted, others refused. */
export const served = <const Word extends string>(all: readonly Word[], taken: readonly Word[]): Schema<Word> => {
  const known = oneOf(...all)
  return schema(known.json, (value) => {
    const word = known(value)
    if (!taken.includes(word))
      throw new Problem((path) => ApiError.of('unsupported_value', { path, value: word }, { param: path }))
    return word
  })
}

/** Null has no effect; anything else requests something that is not supported. */
export const never = (what: string): Schema<null> =>
  schema({ type: 'null', description: `Not supported: ${what}.` }, (value) => {
    if (value !== null) throw unsupportedParameter()
    return null
  })
