/** A schema that is invalid, or that says something which cannot be enforced while a text is written. */
export class SchemaRefused extends Error {
  /** The way from the root of the schema to the place, as keys and indexes. */
  readonly context: string[]
  readonly reason: string

  constructor(context: string[], reason: string) {
    super(`In context=${tuple(context)}, ${reason}`)
    this.context = context
    this.reason = reason
  }
}

/** As Python shows a tuple of strings, since that is how the official service words it. */
const tuple = (steps: string[]): string => {
  const shown = steps.map((step) => `'${shorten(step).replace(/[\\']/g, '\\$&')}'`)
  return `(${shown.join(', ')}${steps.length === 1 ? ',' : ''})`
}

const longestStep = 100
const shorten = (step: string): string => (step.length > longestStep ? `${step.slice(0, longestStep)}…` : step)
