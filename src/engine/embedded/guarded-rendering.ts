import { randomInt } from 'node:crypto'
import type { Conversation } from '../contract.ts'
import { type ChatTemplate, TemplateRefused } from './template.ts'
import { templateVariables } from './template-shapes.ts'
import type { TextMatch } from './text-finder.ts'

/** `plain` text comes from a request and must reach the model as text, even if it spells a control token. */
export type PromptPiece = { text: string; plain: boolean }

/**
 * Renders a conversation so that none of its texts can act as a control token, whatever the template does. Before
 * rendering, every full or partial spelling of such a token is replaced by an unguessable marker; afterwards it is
 * restored as a plain piece. The joined pieces equal the template's output for the original conversation.
 */
export const renderGuarded = (
  render: ChatTemplate,
  conversation: Conversation,
  findSpecial: (text: string) => TextMatch[],
): PromptPiece[] => {
  const nonce = newNonce()
  const taken: string[] = []
  const guard = (text: string): string => {
    let guarded = ''
    let from = 0
    for (const { start, end } of findSpecial(text)) {
      guarded += `${text.slice(from, start)}${mark(nonce, taken.length)}`
      taken.push(text.slice(start, end))
      from = end
    }
    return guarded + text.slice(from)
  }
  const split = (rendered: string) => splitAtMarks(rendered, nonce, taken)
  const end = conversation.opening === 'continue' ? endMark(nonce) : ''
  const variables = templateVariables(conversation, guard, end)
  try {
    return split(cutAt(end, render(variables)))
  } catch (error) {
    if (!(error instanceof TemplateRefused)) throw error
    throw new TemplateRefused(joinPieces(split(error.message.replaceAll(endMark(nonce), ''))))
  }
}

export const joinPieces = (pieces: readonly PromptPiece[]): string => pieces.map(({ text }) => text).join('')

const cutAt = (end: string, rendered: string): string => {
  if (end === '') return rendered
  const cut = rendered.lastIndexOf(end)
  if (cut < 0) throw new TemplateRefused('the last message cannot be continued')
  return rendered.slice(0, cut)
}

/** Digits and brackets survive all template operations on text: trimming, JSON encoding, case changes. */
const mark = (nonce: string, index: number): string => `[[${nonce}:${index}]]`
/** Marks the end of the last message's content; also protects trailing space from trimming. */
const endMark = (nonce: string): string => `[[${nonce}]]`
const newNonce = (): string =>
  Array.from({ length: 4 }, () =>
    randomInt(10 ** 12)
      .toString()
      .padStart(12, '0'),
  ).join('')

const splitAtMarks = (rendered: string, nonce: string, taken: readonly string[]): PromptPiece[] => {
  const marks = new RegExp(`\\[\\[${nonce}:(\\d+)\\]\\]`)
  const pieces: PromptPiece[] = []
  for (const [index, part] of rendered.split(marks).entries()) {
    const plain = index % 2 === 1
    const text = plain ? (taken[Number(part)] ?? '') : part
    const last = pieces.at(-1)
    if (text === '') continue
    if (last?.plain === plain) last.text += text
    else pieces.push({ text, plain })
  }
  return pieces
}
