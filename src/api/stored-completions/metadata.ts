import { ApiError } from '../../base/errors.ts'
import { at, isObject } from '../../http/schema/containers.ts'
import { Problem, wrongType } from '../../http/schema/problem.ts'
import { type Schema, shorten, string } from '../../http/schema/scalars.ts'
import type { Metadata } from '../../store/contract.ts'

const maxPairs = 16
const maxKeyLength = 64
const value = string({ maxLength: 512 })

/** What a caller writes on a completion to find it again: a few short pairs of text. */
export const metadata: Schema<Metadata> = (sent) => {
  if (!isObject(sent)) throw wrongType('an object', sent)
  const pairs = Object.entries(sent)
  if (pairs.length > maxPairs) throw refused(`at most ${maxPairs} pairs are allowed, but there are ${pairs.length}`)
  // From entries, not by assignment: a key may be `__proto__`.
  return Object.fromEntries(pairs.map(readPair))
}

const readPair = ([key, text]: [string, unknown]): [string, string] => {
  if (key.length > maxKeyLength)
    throw refused(`the key '${shorten(key)}' has ${key.length} characters, but at most ${maxKeyLength} are allowed`)
  try {
    return [key.toWellFormed(), value(text)]
  } catch (error) {
    throw at(error, key)
  }
}

const refused = (reason: string): Problem =>
  new Problem((path) => ApiError.of('refused_value', { path, reason }, { param: path }))
