import { ClientGone } from '../../http/exchange.ts'
import type { Delivery } from './delivery.ts'
import type { AnswerFormatter } from './dialect.ts'

/** Sends what precedes the error of a stream. If nobody is there to receive it, only the error itself counts. */
export const sendFailure = async (
  error: unknown,
  formatter: Pick<AnswerFormatter, 'failureEvents'>,
  delivery: Pick<Delivery, 'send'>,
): Promise<void> => {
  if (error instanceof ClientGone) return
  try {
    for (const data of formatter.failureEvents?.(error) ?? []) await delivery.send(data)
  } catch {
    // The error that ended the answer is reported by the caller.
  }
}
