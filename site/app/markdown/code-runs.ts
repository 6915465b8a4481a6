export type CodeLook = 'plain' | 'comment' | 'keyword' | 'string' | 'title'
export type CodeRun = { look: CodeLook; text: string }
export type Highlight = (language: string, code: string) => readonly CodeRun[]

type CodeNode =
  | { type: 'text'; value: string }
  | { type: 'element'; properties?: { className?: unknown }; children: readonly CodeNode[] }
  | { type: 'comment' | 'doctype' }

/** The highlighter tells some sixty kinds of things apart; the page shows these. */
const looks: Record<string, CodeLook> = {
  comment: 'comment',
  quote: 'comment',
  deletion: 'comment',
  meta: 'comment',
  keyword: 'keyword',
  'selector-tag': 'keyword',
  built_in: 'keyword',
  type: 'keyword',
  tag: 'keyword',
  string: 'string',
  regexp: 'string',
  addition: 'string',
  number: 'string',
  literal: 'string',
  symbol: 'string',
  title: 'title',
  attr: 'title',
  attribute: 'title',
  name: 'title',
  section: 'title',
}

/** The innermost kind that has a look counts. */
export const codeRuns = (nodes: readonly CodeNode[], look: CodeLook = 'plain'): readonly CodeRun[] =>
  nodes.flatMap((node) => {
    if (node.type === 'text') return [{ look, text: node.value }]
    if (node.type !== 'element') return []
    return codeRuns(node.children, findLook(node.properties?.className) ?? look)
  })

const findLook = (names: unknown): CodeLook | null => {
  const [first] = Array.isArray(names) ? names : []
  return looks[String(first).replace(/^hljs-/, '')] ?? null
}
