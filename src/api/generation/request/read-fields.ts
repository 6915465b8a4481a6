import { type Schema, schema } from '../../../http/schema/schema.ts'
import { collectUnknown } from '../../../http/schema/unknown-fields.ts'
import { isOtherProvidersField } from './other-providers-fields.ts'

/** `strict`: whether requests that the official service refuses are refused, such as those with unknown fields. */
export type FieldNeeds = { strict: boolean }

/** A request, and the paths of the fields that were left out of it. */
export type ReadFields<Value> = { value: Value; ignoredFields: string[] }

/** Reads a body by its schema. */
export const readFields = <Value>({ strict }: FieldNeeds, read: () => Value): ReadFields<Value> => {
  if (strict) return { value: read(), ignoredFields: [] }
  const { value, unknown } = collectUnknown(read, isOtherProvidersField)
  return { value, ignoredFields: unknown }
}

/**
 * Extra fields that clients and other providers add to messages. Accepted with any value, and not shown to the model.
 */
export const ignored: Schema<undefined> = schema(
  { description: 'Ignored. Extra information that a client or another provider added to a message.' },
  () => undefined,
)
