import type { Removed } from '../accounts/removed.ts'
import type { Suspended } from '../accounts/suspensions.ts'
import { ApiError } from '../base/api-error.ts'
import type { Dispatch } from '../http/dispatch.ts'
import type { KeyEnd } from '../keys/key-registry.ts'
import type { Replays } from '../replay/replays.ts'

/**
 * Ends the running answers of whatever may no longer be used: those on a connection, and those that an Idempotency-Key
 * keeps running without one. What was sent until then is billed. Callers make sure that no new request is admitted.
 */
export interface StopAnswers {
  ofKey(keyId: string, end: KeyEnd): void
  ofRemoved(removed: Removed): void
  ofSuspended(suspended: Suspended): void
  /** All that are billed: another node has settled them, or may have. */
  ofNode(): void
}

type StopAnswersDependencies = {
  dispatch: Pick<Dispatch, 'abortSome'>
  replays: Pick<Replays, 'abortAll'>
}

export const createStopAnswers = ({ dispatch, replays }: StopAnswersDependencies): StopAnswers => {
  const ofKey = (keyId: string, end: KeyEnd): void => {
    const error = ApiError.of(`${end}_api_key`, { key: keyId })
    dispatch.abortSome(({ caller }) => caller?.keyId === keyId, error)
    replays.abortAll(error, (answer) => answer.keyId === keyId)
  }
  return {
    ofKey,
    ofRemoved({ keyIds, accountId, organisationId }) {
      for (const keyId of keyIds) ofKey(keyId, 'revoked')
      // Only answers of the playground: the request that removes somebody may be their own, and goes on.
      dispatch.abortSome(
        ({ caller, progress }) =>
          caller !== null &&
          caller.keyId === undefined &&
          progress !== null &&
          (accountId === null || caller.accountId === accountId) &&
          (organisationId === null || caller.organisationId === organisationId),
        ApiError.of('not_signed_in', {}),
      )
    },
    ofSuspended({ thing, id, keyIds, requestId: ownRequestId }) {
      const error = ApiError.of(`${thing}_suspended`, {})
      const keys = new Set(keyIds)
      const isOfOrganisation = (organisationId: string): boolean => thing === 'organisation' && organisationId === id
      dispatch.abortSome(
        ({ caller, requestId }) =>
          caller !== null &&
          requestId !== ownRequestId &&
          ((caller.keyId !== undefined && keys.has(caller.keyId)) ||
            (thing === 'account' && caller.accountId === id) ||
            isOfOrganisation(caller.organisationId)),
        error,
      )
      replays.abortAll(
        error,
        ({ keyId, organisationId }) => (keyId !== null && keys.has(keyId)) || isOfOrganisation(organisationId),
      )
    },
    ofNode() {
      const error = ApiError.of('node_lease_expired', {}, { retryAfterMs: 1000 })
      dispatch.abortSome(({ caller, progress }) => progress !== null || caller?.keyId !== undefined, error)
      replays.abortAll(error)
    },
  }
}
