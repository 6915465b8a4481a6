/** The query string of an address. Every value is text: a number in a search field stays as it was typed. */
export type Address = { readonly [name: string]: string | undefined }

/** If a name appears twice, the last value counts. */
export const parseSearch = (search: string): Address => Object.fromEntries(new URLSearchParams(search))

/** Empty values are left out, so that a view in its usual state has a plain address. */
export const stringifySearch = (search: object): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') parameters.set(name, value)
  return parameters.size === 0 ? '' : `?${parameters}`
}
