import { type CompileRefusal, CompileRefused, type GrammarSource } from './grammar-source.ts'
import { sourceParam } from './source-param.ts'
import { sourceText } from './source-text.ts'

/**
 * A source as the compiler sends it to its thread. Where a large body was read on another thread, its source comes from there in
 * this form: as a text it costs the event loop nothing, while a schema of many values takes long to copy and to write.
 */
export type GrammarJob = { kind: 'text'; text: string; param: string } | { kind: 'refused'; refusal: CompileRefusal }

export const grammarJobOf = (source: GrammarSource): GrammarJob => {
  try {
    return { kind: 'text', text: sourceText(source), param: sourceParam(source) }
  } catch (error) {
    if (error instanceof CompileRefused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}
