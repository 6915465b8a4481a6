import { type CompileRefusal, CompileRefused, type GrammarSource } from './grammar-source.ts'
import { sourceParam } from './source-param.ts'
import { sourceText } from './source-text.ts'

/**
 * A source as the compiler sends it to its thread. For a large body the thread that read it already returns this form: a text
 * costs the event loop nothing, while a schema of many values takes long to copy and to serialise.
 */
export type GrammarJob = { kind: 'text'; text: string; param: string } | { kind: 'refused'; refusal: CompileRefusal }

/** `isOfficialOnly`: of a request that only asks for what the official service accepts. */
export const grammarJobOf = (asked: GrammarSource, isOfficialOnly = false): GrammarJob => {
  const source = isOfficialOnly ? { ...asked, isOfficialOnly } : asked
  try {
    return { kind: 'text', text: sourceText(source), param: sourceParam(source) }
  } catch (error) {
    if (error instanceof CompileRefused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}
