import type { Language } from '../../languages/language.ts'
import type { FirstWords, Words } from '../../languages/words.ts'
import { loadWords } from '../words/load-words.ts'

/** The language that is read, and its words as far as they are loaded. */
export type Spoken = { readonly language: Language; readonly words: Words; readonly isComplete: boolean }

/**
 * The words of the console. The frame and the playground do with the first ones; the route of any other page, and what lazily
 * shows words of other pages, completes them before.
 */
export type SpokenWords = {
  current(): Spoken
  /** Returns what ends the listening. */
  listen(listener: () => void): () => void
  complete(): Promise<void>
  speak(language: Language): Promise<void>
}

export const createSpokenWords = async (language: Language): Promise<SpokenWords> => {
  const listeners = new Set<() => void>()
  let spoken = await loadFirst(language)
  const become = (next: Spoken): void => {
    spoken = next
    for (const listener of listeners) listener()
  }
  return {
    current: () => spoken,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async complete() {
      // The reader may choose another language meanwhile.
      while (!spoken.isComplete) {
        const next = await loadAll(spoken.language)
        if (next.language === spoken.language) become(next)
      }
    },
    async speak(next) {
      become(await (spoken.isComplete ? loadAll(next) : loadFirst(next)))
    },
  }
}

const loadFirst = async (language: Language): Promise<Spoken> => ({
  language,
  words: untilComplete(await loadWords(language.code, 'first')),
  isComplete: false,
})

const loadAll = async (language: Language): Promise<Spoken> => ({
  language,
  words: await loadWords(language.code, 'console'),
  isComplete: true,
})

/** Held by `test/site/first-words.test.ts`: what is shown before the words are complete uses only the first ones. */
const untilComplete = (words: FirstWords): Words => words as Words
