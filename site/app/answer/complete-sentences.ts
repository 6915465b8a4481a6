/** Where the last complete sentence of a text ends: what follows may still grow and is not announced yet. */
export const completeSentencesEnd = (text: string): number => {
  let end = 0
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) end = index + mark.length
  return end
}

/** A full stop between figures or inside a name is none: it needs a space behind it. Japanese marks need nothing. */
const sentenceEnd = /[.!?…]["')\]]*\s+|[。！？][」』）]*|\n+/g
