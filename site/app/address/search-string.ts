/** What stands after the `?` of an address. Every value is a text: a number in a search field stays as it was typed. */
export type Address = { readonly [name: string]: string | undefined }

/** Of a name that stands twice, the last one counts. */
export const parseSearch = (search: string): Address => Object.fromEntries(new URLSearchParams(search))

/** Empty values are left out, so that a view in its usual state has a plain address. */
export const stringifySearch = (search: object): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') parameters.set(name, value)
  return parameters.size === 0 ? '' : `?${parameters}`
}
