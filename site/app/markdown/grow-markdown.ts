import type { Block } from './markdown-tree.ts'
import { readMarkdown } from './read-markdown.ts'
import { splitBlocks } from './split-blocks.ts'

/** A piece of an answer that can be parsed on its own; the last one may still grow. */
export type MarkdownPart = { start: number; text: string; blocks: readonly Block[] }
export type GrownMarkdown = { text: string; parts: readonly MarkdownPart[] }

export const noMarkdown: GrownMarkdown = { text: '', parts: [] }

/**
 * Parses an answer that has grown. Parts that had ended are kept as they are (the same objects, so that they are not
 * rendered again), and only the last one is parsed anew. Any other text is parsed from its start.
 */
export const growMarkdown = (last: GrownMarkdown, answer: string): GrownMarkdown => {
  const text = answer.replaceAll(/\r\n?/g, '\n')
  if (text === last.text) return last
  const kept = text.startsWith(last.text) ? last.parts : []
  const open = kept.at(-1)
  const starts = splitBlocks(text, open?.start ?? 0)
  const parsed = starts.map((start, index) => readPart(text, start, starts[index + 1] ?? text.length, open))
  return { text, parts: [...kept.slice(0, -1), ...parsed] }
}

const readPart = (text: string, start: number, end: number, open: MarkdownPart | undefined): MarkdownPart => {
  const own = text.slice(start, end)
  return open?.start === start && open.text === own ? open : { start, text: own, blocks: readMarkdown(own) }
}
