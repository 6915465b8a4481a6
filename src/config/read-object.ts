import { SettingError } from './setting.ts'

type ObjectReaders = {
  /** How the object is named in errors, such as `model 2`. */
  where: string
  /** The known fields. Each accepts a JSON value, or throws a `SettingError`. */
  readers: Readonly<Record<string, (value: unknown) => unknown>>
  required: readonly string[]
  kind: string
}

/** One object of a setting that is a list of objects. Unknown and malformed fields are refused by name. */
export const readObject = (
  item: unknown,
  { where, readers, required, kind }: ObjectReaders,
): Record<string, unknown> => {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new SettingError(`${where}: expected ${kind}`)
  const fields = Object.entries(item).map(([name, value]): [string, unknown] => {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (read === undefined) throw new SettingError(`${where}, ${name}: unknown field`)
    return [name, within(`${where}, ${name}`, () => read(value))]
  })
  const object = Object.fromEntries(fields)
  for (const name of required) if (!(name in object)) throw new SettingError(`${where} has no ${name}`)
  return object
}

/** Errors name the place of the value. */
export const within = <Value>(where: string, read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    throw error instanceof SettingError ? new SettingError(`${where}: ${error.message}`) : error
  }
}

/** Null selects the default. */
export const orNull =
  <Value>(read: (value: unknown) => Value) =>
  (value: unknown): Value | null =>
    value === null ? null : read(value)
