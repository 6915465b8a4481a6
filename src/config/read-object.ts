import { collecting, SettingError, throwProblems, within } from './setting-error.ts'

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
  const problems: SettingError[] = []
  const fields = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (read === undefined) {
      problems.push(new SettingError(`${where}, ${name}: unknown field`, [name]))
      return []
    }
    return collecting(problems, () => [[name, within(`${where}, ${name}`, () => read(value), name)]]) ?? []
  })
  const missing = required.filter((name) => !Object.hasOwn(item, name))
  for (const name of missing) problems.push(new SettingError(`${where} has no ${name}`))
  throwProblems(problems)
  return Object.fromEntries(fields)
}

/** Null selects the default. */
export const orNull =
  <Value>(read: (value: unknown) => Value) =>
  (value: unknown): Value | null =>
    value === null ? null : read(value)
