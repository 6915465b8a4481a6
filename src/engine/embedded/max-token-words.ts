import { countWords } from '../count-words.ts'
import type { Vocabulary } from './llama/vocabulary.ts'

/** How vocabularies spell a space. */
const spelledSpaces = /[\u0120\u2581]/g
/** `a b` */
const leastTwoWords = 3

/** The most words that a token has which a text can contain. The first counts behind any other token, as if that ended with a space. */
export const maxTokenWords = ({
  size,
  special,
  entry,
}: Pick<Vocabulary, 'special' | 'entry'> & { size: number }): number => {
  let max = 1
  for (let id = 0; id < size; id += 1) {
    const text = entry(id) ?? ''
    if (text.length < leastTwoWords || special.has(id)) continue
    max = Math.max(max, countWords(` ${text.replace(spelledSpaces, ' ')}`))
  }
  return max
}
