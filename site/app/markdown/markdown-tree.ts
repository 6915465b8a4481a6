/**
 * What an answer's Markdown means, as plain data. The page creates its elements from this tree and from nothing else, so
 * an answer can only contain what has a kind here.
 */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  /** A formula in TeX. `isBlock`: on a line of its own. */
  | { kind: 'math'; text: string; isBlock: boolean }
  | { kind: 'strong' | 'emphasis' | 'deleted'; children: readonly Inline[] }
  /** `href` has passed `safeHref`. */
  | { kind: 'link'; href: string; children: readonly Inline[] }
  /** Never loaded: a link to the picture, or only its description. */
  | { kind: 'image'; href: string | null; description: string }
  | { kind: 'break' }

export type ListItem = { isDone: boolean | null; blocks: readonly Block[] }

export type Alignment = 'left' | 'center' | 'right' | null

export type Block =
  | { kind: 'paragraph'; children: readonly Inline[] }
  | { kind: 'heading'; depth: number; children: readonly Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; blocks: readonly Block[] }
  /** `isLoose`: blank lines separate the items or their paragraphs. */
  | { kind: 'list'; start: number | null; isLoose: boolean; items: readonly ListItem[] }
  | {
      kind: 'table'
      alignments: readonly Alignment[]
      head: readonly (readonly Inline[])[]
      rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { kind: 'rule' }
