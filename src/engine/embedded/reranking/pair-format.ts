import type { LlamaApi, Pointer } from '../llama/llama-api.ts'
import { openVocabulary } from '../llama/open-vocabulary.ts'
import { createTextFinder } from '../text-finder.ts'

/** How a query and a document become one input, as in llama-server: with tokens around them, or in a text of the model. */
export type PairFormat =
  | { type: 'tokens'; start: readonly number[]; between: readonly number[]; end: readonly number[] }
  | {
      type: 'template'
      /** Has `{query}` and `{document}` in it. */
      text: string
      /** Whether a text spells a control token, or the beginning of one at its end. */
      spellsControl(text: string): boolean
    }

export const readPairFormat = (api: LlamaApi, model: Pointer): PairFormat => {
  const vocab = api.llama_model_get_vocab(model)
  const text = api.llama_model_chat_template(model, 'rerank')
  if (text !== null) {
    const findSpecial = createTextFinder(openVocabulary(api, vocab).special.values())
    return { type: 'template', text, spellsControl: (given) => findSpecial(given).length > 0 }
  }
  const separator = api.llama_vocab_sep(vocab)
  const eos = api.llama_vocab_eos(vocab)
  const end = api.llama_vocab_get_add_eos(vocab) ? [eos < 0 ? separator : eos] : []
  const between = api.llama_vocab_get_add_sep(vocab) ? [separator] : []
  return {
    type: 'tokens',
    start: api.llama_vocab_get_add_bos(vocab) ? [api.llama_vocab_bos(vocab)] : [],
    between: [...end, ...between],
    end,
  }
}
