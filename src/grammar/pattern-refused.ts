/** A pattern that is not a regular expression, or that uses a feature a grammar cannot express. */
export class PatternRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
