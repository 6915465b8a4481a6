import { asBatched, toBatches } from '../../../base/batches.ts'
import type { ChoiceEvent, NumberedEvent } from '../output/choice.ts'
import { type Hook, HookFailure } from './hook.ts'
import type { RequestHooks } from './run-hooks.ts'
import type { Redaction } from './scan/redaction.ts'

type TextEvent = Extract<ChoiceEvent, { text: string }>
type StreamHook = Hook & { stream: NonNullable<Hook['stream']> }

/** The text of a choice that is being written: what hooks hold of it, and what its events had besides. */
type Channel = {
  name: string
  redactions: readonly { hook: StreamHook; redaction: Redaction; noted: number }[]
  last: TextEvent
  /** The counts up to which everything was passed on. */
  emitted: TextEvent['emitted']
  /** Of text that is held. */
  tokens: Extract<TextEvent, { type: 'content' }>['tokens']
  ids: number[]
  isChanged: boolean
}

/** Passes the parts of an answer on as they come, except what may be part of something that is looked for. */
export const redactEvents = (
  events: AsyncIterable<NumberedEvent>,
  hooks: readonly StreamHook[],
  request: RequestHooks,
): AsyncIterable<NumberedEvent> => {
  const channels = new Map<number, Channel>()

  const push = (channel: Channel, text: string, isEnd: boolean): string => {
    let passed = text
    for (const one of channel.redactions) {
      const { hook, redaction } = one
      const hadGivenUp = redaction.hasGivenUp
      passed = redaction.push(passed) + (isEnd ? redaction.end() : '')
      if (redaction.hasGivenUp && !hadGivenUp) request.fail(hook, new HookFailure('the text takes too long'))
      if (redaction.count === one.noted) continue
      if (hook.stream.action === 'block') return request.block(hook.name)
      request.note(hook.name, 'redacted', redaction.count - one.noted)
      one.noted = redaction.count
      channel.isChanged = true
    }
    return passed
  }
  /** Log probabilities and ids of tokens would show what was replaced. */
  const send = (choice: number, channel: Channel, text: string): NumberedEvent[] => {
    const isHolding = channel.redactions.some(({ redaction }) => redaction.isHolding)
    if (!isHolding) channel.emitted = channel.last.emitted
    const tokens = isHolding || channel.isChanged ? [] : channel.tokens
    const ids = isHolding || channel.isChanged ? [] : channel.ids
    if (!isHolding) {
      channel.tokens = []
      channel.ids = []
      channel.isChanged = false
    }
    if (text === '' && tokens.length === 0) return []
    const { last, emitted } = channel
    const event = last.type === 'content' ? { ...last, text, tokens, emitted } : { ...last, text, emitted }
    return [ids.length === 0 ? [choice, event] : [choice, event, ids]]
  }
  const open = (name: string, event: TextEvent): Channel => ({
    name,
    redactions: hooks.map((hook) => ({
      hook,
      redaction: hook.stream.open({ isJson: event.type === 'arguments' }),
      noted: 0,
    })),
    last: event,
    emitted: { tokens: 0, reasoning: 0 },
    tokens: [],
    ids: [],
    isChanged: false,
  })
  const close = (choice: number): NumberedEvent[] => {
    const channel = channels.get(choice)
    if (channel === undefined) return []
    channels.delete(choice)
    return send(choice, channel, push(channel, '', true))
  }
  const read = (numbered: NumberedEvent): NumberedEvent[] => {
    const [choice, event, ids = []] = numbered
    if (isUnseen(event)) return []
    if (!isTextEvent(event)) return [...close(choice), numbered]
    const name = event.type === 'arguments' ? `arguments ${event.index}` : event.type
    const before = channels.get(choice)?.name === name ? [] : close(choice)
    const channel = channels.get(choice) ?? open(name, event)
    channels.set(choice, channel)
    if (event.type === 'content') channel.tokens.push(...event.tokens)
    channel.ids.push(...ids)
    if (event.type === 'content' && event.prompt !== undefined) {
      before.push([choice, { ...event, text: '', tokens: [], emitted: channel.emitted }])
      const { prompt: _, ...rest } = event
      channel.last = rest
    } else channel.last = event
    return [...before, ...send(choice, channel, push(channel, event.text, false))]
  }
  return asBatched(
    (async function* () {
      for await (const batch of toBatches(events)) {
        const passed = batch.flatMap(read)
        if (passed.length > 0) yield passed
      }
    })(),
  )
}

/** Hooks see texts only. A signature belongs to the text as the model wrote it. */
const isUnseen = (event: ChoiceEvent): boolean =>
  event.type === 'item' || (event.type === 'reasoning' && event.signature !== undefined)

const isTextEvent = (event: ChoiceEvent): event is TextEvent => 'text' in event
