import type { Schema } from '../http/schema/schema.ts'

/** The type of what a schema describes. Readonly throughout: an answer is sent or shown, never changed. */
export type Shape<Described extends Schema<unknown>> = Immutable<ReturnType<Described>>

export type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value
