import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import type { FinishEvent, NumberedEvent } from '../generation/output/choice.ts'
import { contentOf, endOf, messageJson, toolUse, usageJson } from './message-json.ts'

/** Clients send thinking back with its signature, which is not checked here. */
const signatureOf = ({ id }: FormattedAnswer): string => id

/** Writes an answer as the events of a message, or as one message. */
export const openMessagesFormatter = (answer: FormattedAnswer): AnswerFormatter => {
  const head = { id: answer.id, model: answer.model.id }
  const signature = signatureOf(answer)
  let isBegun = false
  let index = -1
  let open: 'text' | 'thinking' | 'tool_use' | null = null
  let calls = false
  let refusal = false

  const begin = (): string[] => {
    if (isBegun) return []
    isBegun = true
    const message = messageJson(head, [], { stop_reason: null, stop_sequence: null }, answer.usage())
    return [JSON.stringify({ type: 'message_start', message })]
  }
  const delta = (change: object): string => JSON.stringify({ type: 'content_block_delta', index, delta: change })
  const close = (): string[] => {
    if (open === null) return []
    const stop = JSON.stringify({ type: 'content_block_stop', index })
    const signed = open === 'thinking' ? [delta({ type: 'signature_delta', signature })] : []
    open = null
    return [...signed, stop]
  }
  const start = (type: 'text' | 'thinking' | 'tool_use', block: object): string[] => {
    const closed = close()
    index += 1
    open = type
    return [...closed, JSON.stringify({ type: 'content_block_start', index, content_block: block })]
  }
  const write = ([, event]: NumberedEvent): readonly string[] => {
    switch (event.type) {
      case 'reasoning': {
        const block = { type: 'thinking', thinking: '', signature: '' }
        const opened = open === 'thinking' ? [] : start('thinking', block)
        return [...opened, delta({ type: 'thinking_delta', thinking: event.text })]
      }
      case 'refusal':
      case 'content': {
        refusal ||= event.type === 'refusal'
        const opened = open === 'text' ? [] : start('text', { type: 'text', text: '' })
        return [...opened, delta({ type: 'text_delta', text: event.text })]
      }
      case 'call':
        calls = true
        return start('tool_use', toolUse(event.id, event.name, {}))
      case 'arguments':
        return [delta({ type: 'input_json_delta', partial_json: event.text })]
      case 'finish':
        return []
    }
  }
  return {
    events(numbered) {
      // Every token but the first of a block is this.
      if (open === 'text' && numbered[1].type === 'content')
        return delta({ type: 'text_delta', text: numbered[1].text })
      return [...begin(), ...write(numbered)]
    },
    lastEvents(finishes) {
      const end = { ...endOf(finishOf(finishes), { calls, refusal }), stop_details: null, container: null }
      return [
        ...begin(),
        ...close(),
        JSON.stringify({ type: 'message_delta', delta: end, usage: usageJson(answer.usage()) }),
        JSON.stringify({ type: 'message_stop' }),
      ]
    },
    document([choice], finishes) {
      if (choice === undefined) throw new RangeError('there is no choice')
      const { tool_calls, refusal: refused } = choice.message
      const end = endOf(finishOf(finishes), { calls: tool_calls !== undefined, refusal: refused !== null })
      return messageJson(head, contentOf(choice, signature), end, answer.usage())
    },
    isStored: false,
  }
}

const finishOf = (finishes: readonly NumberedEvent[]): Pick<FinishEvent, 'reason' | 'stopText'> => {
  const event = finishes[0]?.[1]
  return event?.type === 'finish' ? event : { reason: 'stop' }
}
