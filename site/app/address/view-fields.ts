import type { Address } from './search-string.ts'

/** One value of a view: how it is read from the address. What is missing or invalid is the default. */
export type ViewField<Value extends string> = { read(text: string): Value; usual: Value }
type ViewFields = Record<string, ViewField<string>>
export type ViewOf<Fields extends ViewFields> = {
  [Name in keyof Fields]: Fields[Name] extends ViewField<infer Value> ? Value : never
}

/** Free text, such as a search. Longer ones are cut: an address comes from anywhere. */
export const text = (max = 200): ViewField<string> => ({ read: (typed) => typed.slice(0, max), usual: '' })

export const choice = <const Value extends string>(
  values: readonly Value[],
  usual: NoInfer<Value>,
): ViewField<Value> => ({
  read: (typed) => values.find((value) => value === typed) ?? usual,
  usual,
})

/** A whole number of 1 or more, as a text. */
export const number = (usual: number): ViewField<string> => ({
  read: (typed) => (/^[1-9]\d{0,5}$/.test(typed) ? typed : String(usual)),
  usual: String(usual),
})

/** `2026-11-15`, or nothing. */
export const day = (): ViewField<string> => ({
  read: (typed) => (isDay(typed) ? typed : ''),
  usual: '',
})

/** 30 February is none, though some browsers read it as 2 March; nor are the years 2, 20 and 202 on the way to 2026. */
export const isDay = (typed: string): boolean => {
  if (typed < '1900' || typed > '9001') return false
  const time = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(typed) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(typed)
}

export const readView = <Fields extends ViewFields>(fields: Fields, address: Address): ViewOf<Fields> =>
  sameNames<Fields>(
    Object.entries(fields).map(([name, { read, usual }]) => {
      const typed = address[name]
      return [name, typed === undefined ? usual : read(typed)]
    }),
  )

/** What of a view belongs in the address; undefined for what is as usual. */
export const viewAddress = <Fields extends ViewFields>(fields: Fields, view: Partial<ViewOf<Fields>>): Address =>
  Object.fromEntries(
    Object.entries<string | undefined>(view).map(([name, value]) => [
      name,
      value === fields[name]?.usual ? undefined : value,
    ]),
  )

/** The entries have been read from these fields, each by its own field. */
const sameNames = <Fields extends ViewFields>(entries: [string, string][]): ViewOf<Fields> =>
  Object.fromEntries(entries) as ViewOf<Fields>
