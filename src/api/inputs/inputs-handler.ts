import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import { type AcceptDependencies, acceptRequest, type ModelEndpoint } from '../generation/accept/accept-request.ts'
import type { CompletionCaller } from '../generation/completion-caller.ts'
import { withDeadline } from '../generation/delivery/deadline.ts'
import type { Hooks } from '../generation/hooks/open-hooks.ts'
import type { ExecuteInputs } from './execute-inputs.ts'
import { hookedInputs } from './hooked-inputs.ts'
import type { InputsEndpoint, InputsRequest } from './inputs-endpoint.ts'

/** Accepts a request and has it executed, in the same steps as a chat completion. */
type InputsHandlerDependencies<Request> = AcceptDependencies & {
  bodies: Pick<BodyWriter, 'isKept'>
  execute: ExecuteInputs<Request>
  /** Absent: there are none. */
  hooks?: Hooks | undefined
  clock: Clock
  generationTimeoutMs: number
}

export type InputsHandler = (exchange: Exchange, caller: CompletionCaller) => Promise<void>

export const createInputsHandler = <Request extends InputsRequest, Result>(
  inputsEndpoint: InputsEndpoint<Request, Result>,
  dependencies: InputsHandlerDependencies<Request>,
): InputsHandler => {
  const { kind, reader, check, ignores } = inputsEndpoint
  const { bodies, execute, clock, generationTimeoutMs, hooks } = dependencies
  // An Idempotency-Key has no effect: the same inputs have the same results.
  const endpoint: ModelEndpoint<Request> = {
    kind,
    read: (blocks, { caller: { organisationId, ownerId }, strict, exchange }) =>
      reader.read(blocks, {
        ownerId,
        needs: { copy: bodies.isKept(organisationId) || exchange.trace?.hasContent === true, strict },
        exchange,
      }),
    ...(check === undefined ? {} : { check }),
    ...(ignores === undefined ? {} : { ignores }),
  }
  return (exchange, caller) =>
    acceptRequest(exchange, caller, endpoint, dependencies, (accepted) =>
      withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal) => {
        const execution = { ...accepted, exchange, caller, signal }
        if (hooks === undefined) return execute(execution)
        return execute({ ...execution, request: await hookedInputs(execution, inputsEndpoint, hooks) })
      }),
    )
}
