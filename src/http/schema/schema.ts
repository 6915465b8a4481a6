/** A JSON Schema (2020-12) as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Takes a JSON value and returns it typed, or throws a `Problem`. `json` says the same in the OpenAPI documents, which are
 * generated from these schemas.
 */
export type Schema<Value> = { (value: unknown): Value; readonly json: JsonSchema }

export const schema = <Value>(json: JsonSchema, read: (value: unknown) => Value): Schema<Value> => {
  const checked = (value: unknown): Value => read(value)
  checked.json = json
  return checked
}

/** The same schema with a description. */
export const described = <Value>(text: string, inner: Schema<Value>): Schema<Value> =>
  schema({ ...inner.json, description: text }, inner)

/** The same schema with a name of its own: a component of the OpenAPI document. */
export const named = <Value>(title: string, inner: Schema<Value>): Schema<Value> =>
  schema({ ...inner.json, title }, inner)
