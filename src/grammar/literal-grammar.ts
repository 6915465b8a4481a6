import { type GrammarNode, sequence, text } from './grammar.ts'
import { blank, comma, entry } from './json-text.ts'

/** Exactly this JSON value; only white space may vary. */
export const literalGrammar = (value: unknown): GrammarNode => {
  if (typeof value !== 'object' || value === null) return text(JSON.stringify(value))
  const items = Array.isArray(value)
    ? value.map(literalGrammar)
    : Object.entries(value).map(([key, item]) => entry(text(JSON.stringify(key)), literalGrammar(item)))
  const [open, close] = Array.isArray(value) ? [text('['), text(']')] : [text('{'), text('}')]
  const inside = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]))
  return inside.length === 0 ? sequence(open, blank, close) : sequence(open, blank, ...inside, blank, close)
}
