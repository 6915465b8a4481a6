/** A part of the sentence under a page's name: what matters most, what stands beside it, or plain text. */
type LedePart = string | { readonly strong: string } | { readonly muted: string }

/**
 * The sentence under a page's name. It is written before React is there (`first-sight/`), and by the page itself, with the same
 * words: so it is data, and each page's sentence a function without hooks.
 */
export type Lede = readonly LedePart[]
