/** `Object.fromEntries` that keeps the type of its names. Sound where every one of them has an entry. */
export const recordFrom = <Name extends string, Value>(
  entries: Iterable<readonly [Name, Value]>,
): Record<Name, Value> => Object.fromEntries(entries) as Record<Name, Value>
