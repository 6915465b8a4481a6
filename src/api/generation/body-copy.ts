import type { Clock } from '../../base/clock.ts'
import { type BodyWriter, cutText } from '../../usage/body-writer.ts'
import type { ChoiceJson } from '../chat-completions/shapes.ts'
import { createChoiceCollector } from './choice-collector.ts'
import type { NumberedEvent } from './output/choice.ts'
import type { ReceivedRequest } from './received-of.ts'

/** Collects what was sent of an answer, to be kept with the body of its request. */
export interface BodyCopy {
  /** One event of a stream was sent. */
  sent(numbered: NumberedEvent): void
  /** The complete answer was sent as one document. */
  document(choices: ChoiceJson[]): void
  /** The request has ended: hands both over to be written. */
  keep(): void
}

type BodyCopyOptions = {
  request: Pick<ReceivedRequest, 'bodyCopy' | 'n' | 'calling'>
  requestId: string
  organisationId: string
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  clock: Clock
}

/** Longer text would be cut anyway. */
const maxLength = 300_000

/** Null if the organisation keeps no bodies. */
export const createBodyCopy = ({
  request,
  requestId,
  organisationId,
  bodies,
  clock,
}: BodyCopyOptions): BodyCopy | null => {
  const { bodyCopy } = request
  if (bodyCopy === null || !bodies.isKept(organisationId)) return null
  const collector = createChoiceCollector({
    count: request.n,
    legacy: request.calling?.legacy ?? false,
    logprobs: false,
    limitBytes: Number.POSITIVE_INFINITY,
  })
  const begun = new Set<number>()
  const finished = new Set<number>()
  let length = 0
  let whole: ChoiceJson[] | null = null

  const choices = () => {
    if (whole !== null) return whole.map(choiceCopy)
    const gathered = collector.choices().filter(({ index }) => begun.has(index))
    return gathered.map((choice) => ({
      ...choiceCopy(choice),
      ...(finished.has(choice.index) ? {} : { finish_reason: null }),
    }))
  }
  return {
    sent([choice, event]) {
      begun.add(choice)
      if (event.type === 'finish') finished.add(choice)
      if ('text' in event) length += event.text.length
      if (length > maxLength && event.type !== 'finish') return
      collector.add([choice, event.type === 'content' ? { ...event, tokens: [] } : event])
    },
    document(choices) {
      whole = choices
    },
    keep() {
      const sent = choices()
      const answer = sent.length === 0 ? null : cutText(JSON.stringify(sent))
      bodies.add({
        requestId,
        organisationId,
        request: bodyCopy,
        answer: answer === null ? null : { ...answer, isCut: answer.isCut || length > maxLength },
        createdAt: clock.now(),
      })
    },
  }
}

/** Without what only a program would read. */
const choiceCopy = ({ index, message, finish_reason }: ChoiceJson) => ({ index, message, finish_reason })
