/** A pattern that is no regular expression, or that uses what a grammar cannot follow. */
export class PatternRefused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
