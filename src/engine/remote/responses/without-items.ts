import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { EngineEvent, ItemPart, ItemStep } from '../../contract.ts'
import type { AnswerReader } from '../answer-reader.ts'

/**
 * Reads the answer to a chat that was sent to a Responses API: texts, reasoning and calls as of any upstream, without the items that
 * they belong to. A blank line is between the texts of two messages, and between two parts of reasoning, which a chat joins.
 * `hasFormat`: the answer has to be JSON, so that what the model says beside it is passed on as reasoning.
 */
export const withoutItems = (reader: AnswerReader, { hasFormat }: { hasFormat: boolean }): AnswerReader => {
  /** Where the last text and the last reasoning were. */
  const places = new Map<'text' | 'reasoning', string>()
  /** Messages beside the answer. */
  const asides = new Set<number>()
  let isAside = false
  let characters = new TextDecoder()

  const read = (events: readonly EngineEvent[], passed: EngineEvent[]): void => {
    for (const event of events) {
      if (event.type === 'item') readItem(event.item, passed)
      else if (!isAside || (event.type !== 'text' && event.type !== 'token')) passed.push(event)
      else addReasoning(event.type === 'text' ? event.text : characters.decode(event.bytes, { stream: true }), passed)
    }
  }
  const readItem = (item: ItemStep, passed: EngineEvent[]): void => {
    if (item.step === 'added' && hasFormat && isCommentary(item.json)) asides.add(item.index)
    if (item.step !== 'part') return
    isAside = asides.has(item.index)
    characters = new TextDecoder()
    const type = isAside ? 'reasoning' : textTypes[item.part]
    if (type === undefined) return
    const place = item.part === 'output_text' ? `${item.index}` : `${item.index} ${item.part} ${item.partIndex}`
    const last = places.get(type)
    places.set(type, place)
    if (last !== undefined && last !== place) passed.push({ type, text: '\n\n', tokens: 0 })
  }
  return {
    ...reader,
    read(value, events) {
      const all: EngineEvent[] = []
      reader.read(value, all)
      read(all, events)
    },
    end(events) {
      const all: EngineEvent[] = []
      reader.end(all)
      read(all, events)
    },
  }
}

const textTypes: Readonly<Partial<Record<ItemPart, 'text' | 'reasoning'>>> = {
  ...{ output_text: 'text', summary_text: 'reasoning', reasoning_text: 'reasoning' },
}

const addReasoning = (text: string, passed: EngineEvent[]): void => {
  if (text !== '') passed.push({ type: 'reasoning', text })
}

/** What a model says before or between its calls. Its answer is of the phase `final_answer`. */
const isCommentary = (json: string): boolean => {
  const item = parseJsonText(json)
  return isRecord(item) && item.phase === 'commentary'
}
