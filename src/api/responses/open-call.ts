import { parseJsonText } from '../../base/parse-json-text.ts'
import type { AnswerPiece } from './answer-piece.ts'
import type { CustomToolCall, FunctionCall } from './items.ts'
import { added, done, type ItemEnd, type OpenItem } from './open-item.ts'
import { customParameter } from './request/build-messages.ts'
import type { UnnumberedEvent } from './stream-events.ts'

export type CallPiece = Extract<AnswerPiece, { type: 'call' }>

type Writing = {
  write(text: string): UnnumberedEvent[]
  isComplete(): boolean
  /** The events before the last. */
  end(status: ItemEnd): UnnumberedEvent[]
}

/** What calls have in common: pieces of text that are numbered like the call. */
const openCall = (
  item: FunctionCall | CustomToolCall,
  outputIndex: number,
  { index }: CallPiece,
  { write, isComplete, end }: Writing,
): OpenItem => ({
  item,
  outputIndex,
  open: () => [added(outputIndex, item)],
  add: (piece) => (piece.type !== 'arguments' || piece.index !== index ? null : write(piece.text)),
  isComplete,
  close: (status) => [...end(status), done(outputIndex, item)],
})

export const openFunctionCall = (id: string, outputIndex: number, call: CallPiece): OpenItem => {
  const item: FunctionCall = {
    id,
    type: 'function_call',
    status: 'in_progress',
    arguments: '',
    call_id: call.id,
    name: call.name,
  }
  const place = { item_id: id, output_index: outputIndex }
  return openCall(item, outputIndex, call, {
    write(text) {
      item.arguments += text
      return [{ type: 'response.function_call_arguments.delta', ...place, delta: text }]
    },
    isComplete: () => isJson(item.arguments),
    end(status) {
      item.status = status
      return [{ type: 'response.function_call_arguments.done', ...place, arguments: item.arguments }]
    },
  })
}

/** An upstream may write the arguments of several calls in turns; they are complete once they are JSON. */
const isJson = (text: string): boolean => {
  try {
    parseJsonText(text)
    return true
  } catch {
    return false
  }
}

const newCustomCall = (id: string, call: CallPiece): CustomToolCall => ({
  ...{ id, type: 'custom_tool_call', call_id: call.id, input: '', name: call.name },
})

/** The model wrote the text as the only argument of a function. It is sent once it can be read. */
export const openCustomCall = (id: string, outputIndex: number, call: CallPiece): OpenItem => {
  const item = newCustomCall(id, call)
  const place = { item_id: id, output_index: outputIndex }
  let written = ''
  return openCall(item, outputIndex, call, {
    write(text) {
      written += text
      return []
    },
    isComplete: () => isJson(written),
    end() {
      item.input = readCustomInput(written)
      return [
        { type: 'response.custom_tool_call_input.delta', ...place, delta: item.input },
        { type: 'response.custom_tool_call_input.done', ...place, input: item.input },
      ]
    },
  })
}

/** A custom call of an upstream that has the Responses API itself: the text as the model wrote it, until the upstream says that it is complete. */
export const openWrittenCall = (id: string, outputIndex: number, call: CallPiece): OpenItem => {
  const item = newCustomCall(id, call)
  const place = { item_id: id, output_index: outputIndex }
  return openCall(item, outputIndex, call, {
    write(text) {
      item.input += text
      return [{ type: 'response.custom_tool_call_input.delta', ...place, delta: text }]
    },
    isComplete: () => false,
    end: () => [{ type: 'response.custom_tool_call_input.done', ...place, input: item.input }],
  })
}

/** Arguments in another form, from an answer that was cut off or from an upstream, are passed on unchanged. */
const readCustomInput = (written: string): string => {
  try {
    const read = parseJsonText(written)
    const input = typeof read === 'object' && read !== null ? Reflect.get(read, customParameter) : null
    return typeof input === 'string' ? input : written
  } catch {
    return written
  }
}
