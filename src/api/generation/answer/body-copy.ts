import type { Clock } from '../../../base/clock.ts'
import type { ToolCall } from '../../../engine/contract.ts'
import type { RequestTrace } from '../../../traces/request-trace.ts'
import { type BodyWriter, cutText } from '../../../usage/body-writer.ts'
import type { NumberedEvent } from '../output/choice.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { type AnswerChoice, joinParts } from './answer-part.ts'
import { createChoiceCollector } from './choice-collector.ts'
import { contentAttributes } from './trace-content.ts'

/** Collects what was sent of an answer, to be kept with the body of its request. */
export interface BodyCopy {
  /** One event of a stream was sent. */
  sent(numbered: NumberedEvent): void
  /** The complete answer was sent as one document. */
  document(choices: readonly AnswerChoice[]): void
  /** The request has ended: hands both over to be written. */
  keep(): void
}

type BodyCopyOptions = {
  request: Pick<GenerationRequest, 'bodyCopy' | 'n'>
  requestId: string
  organisationId: string
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  clock: Clock
  trace: RequestTrace | null
}

/** Longer text would be cut anyway. */
const maxLength = 300_000

/** Null if the organisation keeps no bodies, and traces have no texts either. */
export const createBodyCopy = ({
  request,
  requestId,
  organisationId,
  bodies,
  clock,
  trace,
}: BodyCopyOptions): BodyCopy | null => {
  const { bodyCopy } = request
  const isKept = bodies.isKept(organisationId)
  const isTraced = trace?.hasContent === true
  if (bodyCopy === null || !(isKept || isTraced)) return null
  const collector = createChoiceCollector({ count: request.n, limitBytes: Number.POSITIVE_INFINITY })
  const begun = new Set<number>()
  const finished = new Set<number>()
  let length = 0
  let whole: readonly AnswerChoice[] | null = null

  const choices = () => {
    if (whole !== null) return whole.map((choice, index) => choiceCopy(choice, index, true))
    const gathered = collector.choices().map((choice, index) => choiceCopy(choice, index, finished.has(index)))
    return gathered.filter(({ index }) => begun.has(index))
  }
  return {
    sent([choice, event]) {
      begun.add(choice)
      if (event.type === 'finish') finished.add(choice)
      // It is not in the copy, and may be long.
      if (event.type === 'item') return
      if ('text' in event) length += event.text.length
      if (length > maxLength && event.type !== 'finish') return
      collector.add([choice, event.type === 'content' ? { ...event, tokens: [], prompt: [] } : event])
    },
    document(choices) {
      whole = choices
    },
    keep() {
      const sent = choices()
      const answer = sent.length === 0 ? null : cutText(JSON.stringify(sent))
      if (isTraced) trace?.contains(() => contentAttributes(bodyCopy.text, answer?.text ?? null))
      if (!isKept) return
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

/** What the request log shows of a choice, whichever endpoint it was generated for. */
const choiceCopy = ({ parts, finish }: AnswerChoice, index: number, isFinished: boolean) => {
  const { content, reasoning, refusal, calls } = joinParts(parts)
  return {
    index,
    message: {
      role: 'assistant',
      content: content === '' && (calls.length > 0 || refusal !== null) ? null : content,
      refusal,
      ...(reasoning === null ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(callCopy) }),
    },
    finish_reason: isFinished ? finish.reason : null,
  }
}

const callCopy = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})
