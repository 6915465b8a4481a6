import { isRecord } from '../../base/is-record.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { builtInItemTypes } from '../../config/built-in-tools.ts'
import type { ItemPart } from '../../engine/contract.ts'
import type { BuiltInItem, ReasoningItem } from './items.ts'
import { type CallPiece, openFunctionCall, openWrittenCall } from './open-call.ts'
import { added, done, type ItemFields, type OpenItem, openMessage } from './open-item.ts'
import type { UnnumberedEvent } from './stream-events.ts'

/** An item of an upstream that has the Responses API itself. The upstream says when it is complete. */
export const openNativeItem = (fields: ItemFields, outputIndex: number): OpenItem | null => {
  const { type } = fields
  const id = String(fields.id)
  if (type === 'message') return untilDone(openMessage(id, outputIndex, fields))
  if (type === 'reasoning') return openNativeReasoning(id, outputIndex)
  const builtIn = builtInItemTypes.find((known) => known === type)
  return builtIn === undefined ? null : openBuiltIn({ ...fields, id, type: builtIn }, outputIndex)
}

/** Calls begin with the event that counts them. */
export const isCallItem = ({ type }: ItemFields): boolean => type === 'function_call' || type === 'custom_tool_call'

export const openNativeCall = ({ id, type }: ItemFields, outputIndex: number, call: CallPiece): OpenItem =>
  type === 'custom_tool_call'
    ? openWrittenCall(String(id), outputIndex, call)
    : untilDone(openFunctionCall(String(id), outputIndex, call))

/** Empty if an upstream has sent something else than an object, which is never passed on. */
export const readItemFields = (json: string): ItemFields => {
  const fields = parseJsonText(json)
  return isRecord(fields) ? fields : {}
}

const untilDone = (item: OpenItem): OpenItem => ({ ...item, isComplete: () => false })

type ReasoningPart = { list: 'summary' | 'content'; index: number; text: string }

/** Its summary and its text have any number of parts. */
const openNativeReasoning = (id: string, outputIndex: number): OpenItem => {
  const item: ReasoningItem = { id, type: 'reasoning', summary: [], status: 'in_progress' }
  const place = { item_id: id, output_index: outputIndex }
  let part: ReasoningPart | null = null
  let entered = ''
  const partEvent = (when: 'added' | 'done', { list, index, text }: ReasoningPart): UnnumberedEvent =>
    list === 'summary'
      ? {
          type: `response.reasoning_summary_part.${when}`,
          ...{ ...place, summary_index: index, part: { type: 'summary_text', text } },
        }
      : {
          type: `response.content_part.${when}`,
          ...{ ...place, content_index: index, part: { type: 'reasoning_text', text } },
        }
  const end = (): UnnumberedEvent[] => {
    if (part === null) return []
    const { list, index, text } = part
    if (list === 'summary') item.summary[index] = { type: 'summary_text', text }
    else item.content = [...(item.content ?? []), { type: 'reasoning_text', text }]
    const ended: UnnumberedEvent =
      list === 'summary'
        ? { type: 'response.reasoning_summary_text.done', ...place, summary_index: index, text }
        : { type: 'response.reasoning_text.done', ...place, content_index: index, text }
    const events = [ended, partEvent('done', part)]
    part = null
    return events
  }
  const begin = (list: ReasoningPart['list']): UnnumberedEvent[] => {
    const before = end()
    const index = list === 'summary' ? item.summary.length : (item.content?.length ?? 0)
    part = { list, index, text: '' }
    return [...before, partEvent('added', part)]
  }
  return {
    item,
    outputIndex,
    open: () => [added(outputIndex, item)],
    enter(kind, partIndex) {
      const name = `${kind} ${partIndex}`
      if (entered === name) return []
      entered = name
      return begin(listOf(kind))
    },
    add(piece) {
      if (piece.type !== 'reasoning') return null
      const before = part === null ? begin('content') : []
      if (part === null) return null
      const { list, index } = part
      part.text += piece.text
      const delta = piece.text
      return [
        ...before,
        list === 'summary'
          ? { type: 'response.reasoning_summary_text.delta', ...place, summary_index: index, delta }
          : { type: 'response.reasoning_text.delta', ...place, content_index: index, delta },
      ]
    },
    isComplete: () => false,
    settle({ encrypted_content: encrypted }) {
      if (typeof encrypted === 'string') item.encrypted_content = encrypted
    },
    close(status) {
      const events = end()
      item.status = status
      return [...events, done(outputIndex, item)]
    },
  }
}

const listOf = (part: ItemPart): ReasoningPart['list'] => (part === 'summary_text' ? 'summary' : 'content')

/** It has no text of its own: it is passed on as it begins and as it ends. */
const openBuiltIn = (first: BuiltInItem, outputIndex: number): OpenItem => {
  const item: BuiltInItem = { ...first }
  return {
    item,
    outputIndex,
    open: () => [added(outputIndex, item)],
    add: () => null,
    isComplete: () => false,
    settle(fields) {
      for (const [name, value] of Object.entries(fields)) if (name !== 'id' && name !== 'type') item[name] = value
    },
    close(status) {
      if (status === 'incomplete' && item.status === 'in_progress') item.status = status
      return [done(outputIndex, item)]
    },
  }
}
