/**
 * Fields that a schema does not know. They are refused, unless the body is read within `collectUnknown`: then `object` leaves
 * them out and they are listed. Schemas are synchronous, so one variable says for all of them which reading is under way, and
 * no schema can forget to pass it on.
 */
import { ApiError } from '../../base/api-error.ts'
import { isOneEditAway } from './is-one-edit-away.ts'
import { joinPath, Problem, unsupportedParameter } from './problem.ts'
import { shorten } from './scalars.ts'
import type { Schema } from './schema.ts'

/** Of one body. More of them are a mistake rather than the extras of a client. */
const maxUnknownFields = 256
/** Of one body. A comparison costs a few microseconds, and people misspell few fields. */
const maxCompared = 64
/** Shorter names are too often one letter away from another. */
const leastComparedLength = 5

type Reading = {
  /** Paths from the value that is being read. */
  readonly found: string[]
  compared: number
  /** Names that are no misspellings, although they look like it. */
  readonly isForeign: (name: string) => boolean
}

let reading: Reading | null = null
/** So that the innermost loops only compare two numbers. */
const none: Reading = { found: [], compared: 0, isForeign: () => true }

/** What `object` knows about the object that contains the fields. */
export type UnknownIn = {
  value: Readonly<Record<string, unknown>>
  names: readonly string[]
  known: ReadonlyMap<string, Schema<unknown>>
  /** Known fields that are not supported and would change the answer: refused even here. */
  isUnserved(name: string, value: unknown): boolean
}

/** Reads a value. Unknown fields are left out of it and listed by their paths, except for misspellings, which are refused. */
export const collectUnknown = <Value>(
  read: () => Value,
  isForeign: Reading['isForeign'],
): { value: Value; unknown: string[] } => {
  const own: Reading = { found: [], compared: 0, isForeign }
  return { value: within(own, read), unknown: own.found }
}

/** For a value that is read a second time: compares and lists nothing. */
export const discardUnknown = <Value>(read: () => Value): Value =>
  reading === null ? read() : within({ ...none, found: [] }, read)

const within = <Value>(own: Reading, read: () => Value): Value => {
  const outer = reading
  reading = own
  try {
    return read()
  } finally {
    reading = outer
  }
}

/** The number of unknown fields found so far; those found later belong to the next step. */
export const countUnknown = (): number => (reading ?? none).found.length

/** Prepends a step to the paths found since then. */
export const placeUnknown = (since: number, step: string | number): void => {
  const { found } = reading ?? none
  for (let at = since; at < found.length; at += 1) found[at] = joinPath(step, found[at] ?? '')
}

/** Leaves unknown fields out, or throws the problem. */
export const leaveOut = (unknown: UnknownIn, refuse: (names: string[]) => Problem): void => {
  if (reading === null) throw refuse([...unknown.names])
  for (const name of unknown.names) {
    if (unknown.isUnserved(name, unknown.value[name])) throw unsupportedParameter().under(name)
    refuseMisspelling(reading, name, unknown)
    reading.found.push(shownName(name))
    if (reading.found.length > maxUnknownFields) throw tooMany().under(shownName(name))
  }
}

const refuseMisspelling = (own: Reading, name: string, { value, known }: UnknownIn): void => {
  if (name.length < leastComparedLength || own.isForeign(name) || own.compared >= maxCompared) return
  own.compared += 1
  for (const [field, schema] of known)
    if (isOneEditAway(name, field) && !Object.hasOwn(value, field) && accepts(schema, value[name]))
      throw misspelt(field).under(name)
}

const accepts = (schema: Schema<unknown>, value: unknown): boolean => {
  try {
    discardUnknown(() => schema(value))
    return true
  } catch (error) {
    if (error instanceof Problem || error instanceof ApiError) return false
    throw error
  }
}

/**
 * The name in a form that is safe to show on a page, in a header and in a log: shortened, without control characters.
 */
const shownName = (name: string): string => shorten(name).replace(/\p{C}/gu, '\ufffd')

const misspelt = (suggestion: string): Problem =>
  new Problem((path) => ApiError.of('misspelt_parameter', { path, suggestion }, { param: path }))

const tooMany = (): Problem =>
  new Problem((path) =>
    ApiError.of('too_many_unknown_parameters', { path, maximum: maxUnknownFields }, { param: path }),
  )
