import { type GrammarWish, type WishRefusal, WishRefused } from './grammar-wish.ts'
import { wishParam } from './wish-param.ts'
import { wishText } from './wish-text.ts'

/**
 * A wish as the compiler sends it to its thread. Where a large body was read on another thread, its wish comes from there in
 * this form: as a text it costs the event loop nothing, while a schema of many values takes long to copy and to write.
 */
export type GrammarJob = { kind: 'text'; text: string; param: string } | { kind: 'refused'; refusal: WishRefusal }

export const grammarJobOf = (wish: GrammarWish): GrammarJob => {
  try {
    return { kind: 'text', text: wishText(wish), param: wishParam(wish) }
  } catch (error) {
    if (error instanceof WishRefused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}
