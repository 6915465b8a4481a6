import { type CompileRefusal, CompileRefused, type GrammarSource } from './grammar-source.ts'

/**
 * A source as the compiler sends it to its thread. For a large body the thread that read it already returns this form: a text
 * costs the event loop nothing, while a schema of many values takes long to copy and to serialise.
 */
export type GrammarJob = { kind: 'text'; text: string; param: string } | { kind: 'refused'; refusal: CompileRefusal }

/** `isOfficialOnly`: refuse what the official service refuses. */
export const createGrammarJob = (asked: GrammarSource, isOfficialOnly = false): GrammarJob => {
  const source = isOfficialOnly ? { ...asked, isOfficialOnly } : asked
  try {
    return { kind: 'text', text: sourceText(source), param: sourceParam(source) }
  } catch (error) {
    if (error instanceof CompileRefused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}

/**
 * A source as JSON: the cheapest form to pass to another thread, and the same text for the same source. JSON cannot express
 * the infinity that a number such as `1e999` is read as; it would become null, which means something else in a schema.
 */
const sourceText = (source: GrammarSource): string => {
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

/** The field of the request that errors about a source as a whole refer to. */
export const sourceParam = ({ tools, format }: GrammarSource): string => {
  const [tool] = tools
  if (tool !== undefined) return tool.param.replace(/\[.*$/, '')
  return format !== null && 'param' in format ? format.param : 'response_format'
}
