/** Adds a member to the JSON of an object, with a value that is JSON text; undefined: nothing is added. */
export const withMember = (object: string, name: string, value: string | undefined): string => {
  if (value === undefined) return object
  const comma = object === '{}' ? '' : ','
  return `${object.slice(0, -1)}${comma}${JSON.stringify(name)}:${value}}`
}
