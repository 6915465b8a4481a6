import type { ChoiceEvent, NumberedEvent } from '../output/choice.ts'
import { type Hook, HookFailure } from './hook.ts'
import type { RequestHooks } from './run-hooks.ts'

/** More of an answer is not held back: the hooks then cannot decide. */
const maxLength = 4_194_304

/** Holds an answer back until the hooks have seen all of it. */
export async function* checkAnswer(
  events: AsyncIterable<NumberedEvent>,
  hooks: readonly Hook[],
  request: RequestHooks,
  signal: AbortSignal,
): AsyncGenerator<NumberedEvent, void> {
  const held: NumberedEvent[] = []
  const texts = new Map<string, string>()
  let length = 0
  let isTooLong = false
  for await (const numbered of events) {
    // Hooks see texts only.
    if (numbered[1].type === 'item') continue
    const name = textName(numbered)
    if (isTooLong) {
      yield numbered
      continue
    }
    held.push(numbered)
    if (name === null || !('text' in numbered[1])) continue
    length += numbered[1].text.length
    texts.set(name, (texts.get(name) ?? '') + numbered[1].text)
    if (length <= maxLength) continue
    isTooLong = true
    for (const hook of hooks) request.fail(hook, new HookFailure('the answer is too long'))
    yield* held.splice(0)
  }
  if (isTooLong) return
  const sent = [...texts.values()].map((text) => ({ role: 'assistant', text }))
  const replaced = await request.run(hooks, sent, 'after', signal)
  if (replaced === null) yield* held
  else yield* replaceTexts(held, new Map([...texts.keys()].map((name, index) => [name, replaced[index] ?? ''])))
}

/** Each text where it began; log probabilities and ids of tokens would show what was replaced. */
function* replaceTexts(held: readonly NumberedEvent[], texts: Map<string, string>): Generator<NumberedEvent> {
  for (const numbered of held) {
    const [choice, event] = numbered
    const name = textName(numbered)
    // It belongs to the text as the model wrote it.
    if (event.type === 'reasoning' && event.signature !== undefined) continue
    if (name === null || !('text' in event)) {
      yield [choice, event]
      continue
    }
    const text = texts.get(name) ?? ''
    texts.set(name, '')
    yield [choice, withText(event, text)]
  }
}

const withText = (event: Extract<ChoiceEvent, { text: string }>, text: string): ChoiceEvent =>
  event.type === 'content' ? { ...event, text, tokens: [] } : { ...event, text }

const textName = ([choice, event]: NumberedEvent): string | null => {
  if (!('text' in event)) return null
  return `${choice} ${event.type} ${event.type === 'arguments' ? event.index : ''}`
}
