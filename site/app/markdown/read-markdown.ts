import type { Token, Tokens } from 'marked'
import { createCountedLexer } from './counted-lexer.ts'
import type { Block } from './markdown-tree.ts'
import { readInlines } from './read-inlines.ts'
import { BudgetSpentError, createWorkBudget, type WorkBudget } from './work-budget.ts'

/** Longer parts are shown as they are: parsing them again with every token would take the page's time. */
const maxCharacters = 40_000
/** What one part may cost: a few tens of milliseconds on a slow machine. */
export const partUnits = 4_000_000
const deepest = 12
/** More quotations or lists inside each other than anybody writes; each level reads the rest of the line again. */
const tooDeep = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){13}/m

/** Parses a part of an answer. Whatever the text, it returns blocks: what cannot be parsed, or not within its budget, is a paragraph. */
export const readMarkdown = (text: string, budget: WorkBudget = createWorkBudget(partUnits)): readonly Block[] => {
  if (text.length > maxCharacters || tooDeep.test(text)) return asText(text)
  try {
    return readBlocks(createCountedLexer(budget).lex(text), 0)
  } catch (error) {
    if (error instanceof BudgetSpentError || error instanceof RangeError) return asText(text)
    throw error
  }
}

const asText = (text: string): readonly Block[] => [{ kind: 'paragraph', children: [{ kind: 'text', text }] }]

const readBlocks = (tokens: readonly Token[], depth: number): readonly Block[] =>
  depth > deepest
    ? asText(tokens.map(({ raw }) => raw).join(''))
    : tokens.flatMap((token) => readBlock(asKnown(token), depth))

/** Every token of the lexer is one of these: no extensions are installed. */
const asKnown = (token: Token): KnownBlock => token as KnownBlock
type KnownBlock =
  | Tokens.Blockquote
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.List
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Table
  | Tokens.Text

const readBlock = (token: KnownBlock, depth: number): readonly Block[] => {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', children: readInlines(token.tokens ?? [token]) }]
    case 'heading':
      return [{ kind: 'heading', depth: token.depth, children: readInlines(token.tokens) }]
    case 'code':
      return [{ kind: 'code', language: token.lang?.match(/^[\w+#.-]{1,20}/)?.[0] ?? '', text: token.text }]
    case 'blockquote':
      return [{ kind: 'quote', blocks: readBlocks(token.tokens, depth + 1) }]
    case 'list':
      return [readList(token, depth)]
    case 'table':
      return [readTable(token)]
    case 'hr':
      return [{ kind: 'rule' }]
    case 'space':
    case 'checkbox':
      return []
  }
}

const readList = ({ ordered, start, loose, items }: Tokens.List, depth: number): Block => ({
  kind: 'list',
  start: ordered ? Number(start) : null,
  isLoose: loose,
  items: items.map(({ task, checked, tokens }) => ({
    isDone: task ? checked === true : null,
    blocks: readBlocks(tokens, depth + 1),
  })),
})

const readTable = ({ align, header, rows }: Tokens.Table): Block => ({
  kind: 'table',
  alignments: align,
  head: header.map(({ tokens }) => readInlines(tokens)),
  rows: rows.map((row) => row.map(({ tokens }) => readInlines(tokens))),
})
