/** A schema that is invalid, or that cannot be enforced while a text is generated. */
export class SchemaRefused extends Error {
  /** The path from the root of the schema to the fault, as keys and indexes. */
  readonly context: string[]
  readonly reason: string

  constructor(context: string[], reason: string) {
    super(`In context=${tuple(context)}, ${reason}`)
    this.context = context
    this.reason = reason
  }
}

/** Formatted as a Python tuple of strings, like the official service's messages. */
const tuple = (steps: string[]): string => {
  const shown = steps.map((step) => `'${shorten(step).replace(/[\\']/g, '\\$&')}'`)
  return `(${shown.join(', ')}${steps.length === 1 ? ',' : ''})`
}

const longestStep = 100
const shorten = (step: string): string => (step.length > longestStep ? `${step.slice(0, longestStep)}…` : step)
