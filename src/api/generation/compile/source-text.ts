import { CompileRefused, type GrammarSource } from './grammar-source.ts'
import { sourceParam } from './source-param.ts'

/**
 * A source as JSON: the cheapest form to pass to another thread, and the same text for the same source. JSON cannot express
 * the infinity that a number such as `1e999` is read as; it would become null, which means something else in a schema.
 */
export const sourceText = (source: GrammarSource): string => {
  const text = JSON.stringify(source)
  if (text.includes('null') && holdsInfinity(source))
    throw new CompileRefused({
      error: 'refused_value',
      reason: 'a number in the schema is too large',
      param: sourceParam(source),
    })
  return text
}

const holdsInfinity = (root: unknown): boolean => {
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return true
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Array.isArray(value) ? value : Object.values(value)) pending.push(inner)
  }
  return false
}
