/**
 * Arguments of a script by name. Redis knows them only by position, so the list of names is written once and both sides are
 * derived from it: what is sent, and where the Lua finds it.
 */
export type ScriptArguments<Name extends string> = {
  /** In the order of the names. Null is sent as ''. */
  pack(values: Readonly<Record<Name, string | number | null>>): (string | number)[]
  /** How many there are. */
  readonly size: number
  /** Lua: each of them, if the first is `ARGV[first]`, which is a number or an expression. */
  at(first: number | string): Readonly<Record<Name, string>>
}

/** The first arguments of every script: the time, or ''; the node; and its epoch. */
export const commonArguments = 3

export const scriptArguments = <const Name extends string>(names: readonly Name[]): ScriptArguments<Name> => ({
  pack: (values) => names.map((name) => values[name] ?? ''),
  size: names.length,
  at: (first) => byName(names, (index) => `ARGV[${typeof first === 'number' ? first + index : `${first} + ${index}`}]`),
})

/** Sound because every name gets a value. */
const byName = <Name extends string>(names: readonly Name[], textAt: (index: number) => string) =>
  Object.fromEntries(names.map((name, index) => [name, textAt(index)])) as Record<Name, string>
