/**
 * Arguments of a script by name. Redis knows them only by position, so the list of names is written once and both sides are
 * derived from it: what is sent, and the Lua that reads it.
 */
export type ScriptArguments<Name extends string> = {
  /** In the order of the names. Null is sent as ''. */
  pack(values: Readonly<Record<Name, string | number | null>>): (string | number)[]
  /** How many there are. */
  readonly size: number
  /** Lua: a table of them by name, from the argument at `first`, a number or an expression. */
  read(first: number | string): string
}

/** Every script has these first: whose time it is, or ''; the node; and its epoch. */
export const commonArguments = 3

export const scriptArguments = <const Name extends string>(names: readonly Name[]): ScriptArguments<Name> => ({
  pack: (values) => names.map((name) => values[name] ?? ''),
  size: names.length,
  read: (first) => `{ ${names.map((name, index) => `${name} = ARGV[${first} + ${index}]`).join(', ')} }`,
})
