import type { en } from './en.ts'

/** The shape of the English dictionary: every other one has the same keys, so a word that is missing does not compile. */
export type Words = Shape<typeof en>

export type Shape<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends string
    ? string
    : Part[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Shape<Part[Name]>
}
