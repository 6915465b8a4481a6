import type { Removed } from '../accounts/removed.ts'
import type { Suspended } from '../accounts/suspensions.ts'
import { ApiError } from '../base/errors.ts'
import type { LogFields } from '../base/log.ts'
import type { Dispatch } from '../http/dispatch.ts'
import type { KeyEnd } from '../keys/key-registry.ts'
import type { Replays } from '../replay/replays.ts'

/**
 * Ends the running answers of whatever may no longer be used: those on a connection, and those that an Idempotency-Key
 * keeps running without one. What was sent until then is billed. Callers have made sure that no new request is let in.
 */
export interface StopAnswers {
  ofKey(keyId: string, end: KeyEnd): void
  ofRemoved(removed: Removed): void
  ofSuspended(suspended: Suspended): void
}

type Running = { dispatch: Dispatch; replays: Pick<Replays, 'abortAll'> }

export const createStopAnswers = ({ dispatch, replays }: Running): StopAnswers => {
  const stop = (error: ApiError, concerns: (facts: LogFields) => boolean, except: string | null = null): void => {
    dispatch.abortSome(concerns, error, except)
    replays.abortAll(error, ({ keyId, organisationId }) => concerns({ keyId, organisationId }))
  }
  const ofKey = (keyId: string, end: KeyEnd): void =>
    stop(ApiError.of(`${end}_api_key`, { key: keyId }), (facts) => facts.keyId === keyId)
  return {
    ofKey,
    ofRemoved({ keyIds, accountId, organisationId }) {
      for (const keyId of keyIds) ofKey(keyId, 'revoked')
      stop(
        ApiError.of('not_signed_in', {}),
        (facts) =>
          isPlaygroundAnswer(facts) &&
          (accountId === null || facts.accountId === accountId) &&
          (organisationId === null || facts.organisationId === organisationId),
      )
    },
    ofSuspended({ thing, id, keyIds, requestId }) {
      const keys: ReadonlySet<unknown> = new Set(keyIds)
      const concerns = ({ keyId, accountId, organisationId }: LogFields): boolean =>
        keys.has(keyId) ||
        (thing === 'account' && accountId === id) ||
        (thing === 'organisation' && organisationId === id)
      stop(ApiError.of(`${thing}_suspended`, {}), concerns, requestId)
    },
  }
}

/** The request that removes somebody may be their own: it is no answer of a model, and goes on. */
const isPlaygroundAnswer = ({ keyId, model }: LogFields): boolean => keyId === undefined && model !== undefined
