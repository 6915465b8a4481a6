import type { Token, Tokens } from 'marked'
import { decodeEntities } from './decode-entities.ts'
import { findMath } from './find-math.ts'
import type { Inline } from './markdown-tree.ts'
import { safeHref } from './safe-href.ts'

const deepest = 12

export const readInlines = (tokens: readonly Token[], depth = 0): readonly Inline[] =>
  depth > deepest
    ? [{ kind: 'text', text: tokens.map(({ raw }) => raw).join('') }]
    : tokens.flatMap((token) => readInline(asKnown(token), depth + 1))

/** Every token of the lexer is one of these: no extensions are installed. `html` is a line break, see `PlainTokenizer`. */
const asKnown = (token: Token): KnownInline => token as KnownInline
type KnownInline =
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Codespan
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.Strong
  | Tokens.Text

const readInline = (token: KnownInline, depth: number): readonly Inline[] => {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined
        ? [{ kind: 'text', text: decodeEntities(token.text) }]
        : readInlines(token.tokens, depth)
    case 'escape':
      return readEscape(token)
    case 'codespan':
      return [{ kind: 'code', text: token.text }]
    case 'strong':
      return [{ kind: 'strong', children: readInlines(token.tokens, depth) }]
    case 'em':
      return [{ kind: 'emphasis', children: readInlines(token.tokens, depth) }]
    case 'del':
      return [{ kind: 'deleted', children: readInlines(token.tokens, depth) }]
    case 'link':
      return readLink(token, depth)
    case 'image':
      return [{ kind: 'image', href: safeHref(decodeEntities(token.href)), description: decodeEntities(token.text) }]
    case 'br':
    case 'html':
      return [{ kind: 'break' }]
    case 'checkbox':
      return []
  }
}

/** An escaped character has one sign before it; the lexer also passes formulas on as such. */
const readEscape = ({ raw, text }: Tokens.Escape): readonly Inline[] => {
  const math = raw.length > 2 ? findMath(raw) : null
  return math === null ? [{ kind: 'text', text }] : [{ kind: 'math', text: math.text, isBlock: math.isBlock }]
}

/** A link to anywhere else stays as the text that it was. */
const readLink = ({ href, raw, tokens }: Tokens.Link, depth: number): readonly Inline[] => {
  const safe = safeHref(decodeEntities(href))
  return safe === null
    ? [{ kind: 'text', text: raw }]
    : [{ kind: 'link', href: safe, children: readInlines(tokens, depth) }]
}
