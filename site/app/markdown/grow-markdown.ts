import { completeTable } from './complete-table.ts'
import type { Block } from './markdown-tree.ts'
import { partUnits, readMarkdown } from './read-markdown.ts'
import { splitBlocks } from './split-blocks.ts'
import { createWorkBudget } from './work-budget.ts'

/** A piece of an answer that can be parsed on its own; the last one may still grow. */
export type MarkdownPart = {
  start: number
  text: string
  blocks: readonly Block[]
  units: number
  /** It was parsed with more than its text: a table that has just begun. */
  isCompleted: boolean
}
export type GrownMarkdown = { text: string; parts: readonly MarkdownPart[] }

export const noMarkdown: GrownMarkdown = { text: '', parts: [] }

/** What all parts of an answer may cost together. Those after that are shown as they are. */
const answerUnits = 10 * partUnits
/** What each further character of a growing answer may cost: a part that costs more is parsed again after several. */
const unitsPerCharacter = 50_000

/**
 * Parses an answer that has grown. Parts that had ended are kept as they are (the same objects, so that they are not
 * rendered again), and only the last one is parsed anew. Any other text is parsed from its start. While it grows, the last
 * characters may be left out until there are more of them.
 */
export const growMarkdown = (last: GrownMarkdown, answer: string, isGrowing: boolean): GrownMarkdown => {
  const text = answer.replaceAll(/\r\n?/g, '\n')
  if (text === last.text && (isGrowing || !last.parts.at(-1)?.isCompleted)) return last
  const kept = text.startsWith(last.text) ? last.parts : []
  const open = kept.at(-1)
  if (isGrowing && open !== undefined && text.length - last.text.length < open.units / unitsPerCharacter) return last
  const ended = kept.slice(0, -1)
  const starts = splitBlocks(text, open?.start ?? 0)
  let unitsLeft = ended.reduce((left, { units }) => left - units, answerUnits)
  const parsed = starts.map((start, index) => {
    const next = starts[index + 1]
    const isOpen = isGrowing && next === undefined
    const part = readPart(text.slice(start, next ?? text.length), { start, open, unitsLeft, isOpen })
    unitsLeft -= part.units
    return part
  })
  return { text, parts: [...ended, ...parsed] }
}

type PartPlace = { start: number; open: MarkdownPart | undefined; unitsLeft: number; isOpen: boolean }

const readPart = (text: string, { start, open, unitsLeft, isOpen }: PartPlace): MarkdownPart => {
  const complete = isOpen ? completeTable(text) : text
  if (open?.start === start && open.text === text && !open.isCompleted && complete === text) return open
  const budget = createWorkBudget(Math.min(partUnits, unitsLeft))
  const blocks = readMarkdown(complete, budget)
  return { start, text, blocks, units: budget.spent(), isCompleted: complete !== text }
}
