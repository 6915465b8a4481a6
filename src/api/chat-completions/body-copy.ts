import type { Clock } from '../../base/clock.ts'
import { type Bodies, cutText } from '../../usage/bodies.ts'
import { createCollector } from './collect.ts'
import type { Execution } from './execute-request.ts'
import type { NumberedEvent } from './output/choice.ts'
import type { ChoiceJson, CompletionJson } from './shapes.ts'

/** What was asked and what was sent of the answer, of a request whose organisation has them kept. */
export interface BodyCopy {
  /** One event of a stream was handed over. */
  sent(numbered: NumberedEvent): void
  /** The whole answer was. */
  document(completion: CompletionJson): void
  /** The request has ended. */
  keep(): void
}

type CopyRooms = { bodies: Bodies; clock: Clock }

/** Text beyond this could not be kept anyway. */
const mostText = 300_000

/** Null where the organisation keeps none. */
export const openBodyCopy = (
  { request, caller, requestId }: Pick<Execution, 'request' | 'caller' | 'requestId'>,
  { bodies, clock }: CopyRooms,
): BodyCopy | null => {
  const { organisationId } = caller
  const { copy } = request.sent
  if (copy === null || !bodies.isKept(organisationId)) return null
  const collector = createCollector({
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
      if (length > mostText && event.type !== 'finish') return
      collector.add([choice, event.type === 'content' ? { ...event, tokens: [] } : event])
    },
    document(completion) {
      whole = completion.choices
    },
    keep() {
      const told = choices()
      const answer = told.length === 0 ? null : cutText(JSON.stringify(told))
      bodies.add({
        requestId,
        organisationId,
        request: copy,
        answer: answer === null ? null : { ...answer, isCut: answer.isCut || length > mostText },
        createdAt: clock.now(),
      })
    },
  }
}

/** Without what only a program would read. */
const choiceCopy = ({ index, message, finish_reason }: ChoiceJson) => ({ index, message, finish_reason })
