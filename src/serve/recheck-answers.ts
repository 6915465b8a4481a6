import { ApiError } from '../base/api-error.ts'
import type { Dispatch } from '../http/dispatch.ts'
import type { Replays } from '../replay/replays.ts'
import type { ActingMember, CallerRecords, KeyValidity } from '../store/caller-contract.ts'
import type { StopAnswers } from './stop-answers.ts'

type RecheckDependencies = {
  records: CallerRecords
  dispatch: Pick<Dispatch, 'callers' | 'abortSome'>
  replays: Pick<Replays, 'senders' | 'abortAll'>
  stopAnswers: StopAnswers
}

/** As it is shown. */
type Secret = Pick<KeyValidity, 'prefix' | 'lastFour'>

/** Ends the running answers of keys and members that may not go on: another node has revoked, suspended or removed them. */
export type RecheckAnswers = () => Promise<void>

export const createRecheckAnswers = (dependencies: RecheckDependencies): RecheckAnswers => {
  const { records, dispatch, replays, stopAnswers } = dependencies

  const endKey = (id: string, key: KeyValidity | undefined): void => {
    if (key === undefined || key.revokedAt !== null) stopAnswers.ofKey(id, 'revoked')
    if (key === undefined) return
    // The thing is not looked for by its own id: its other keys and members are checked like this one.
    if (key.suspended !== null)
      stopAnswers.ofSuspended({
        thing: key.suspended,
        id: key.suspended === 'key' ? id : '',
        keyIds: [id],
        requestId: null,
      })
    if (key.pausedAt !== null) stopAnswers.ofKey(id, 'paused')
    // Without a grace period, answers to the previous secret end.
    if (key.previousUntil === null) {
      const error = ApiError.of('rotated_api_key', { key: id })
      const isPrevious = (secret: Secret | undefined): boolean =>
        secret !== undefined && (secret.prefix !== key.prefix || secret.lastFour !== key.lastFour)
      dispatch.abortSome(({ caller }) => caller?.keyId === id && isPrevious(caller.key), error)
      replays.abortAll(error, ({ keyId, secret }) => keyId === id && isPrevious(secret))
    }
  }
  const recheckKeys = async (): Promise<void> => {
    const running = [...dispatch.callers().map(({ keyId }) => keyId), ...replays.senders().map(({ keyId }) => keyId)]
    const ids = [...new Set(running)].filter((id) => typeof id === 'string')
    if (ids.length === 0) return
    const found = new Map((await records.keys(ids)).map((key) => [key.id, key]))
    for (const id of ids) endKey(id, found.get(id))
  }
  const recheckMembers = async (): Promise<void> => {
    const members = dispatch
      .callers()
      .flatMap(({ accountId, organisationId }): ActingMember[] =>
        accountId === undefined ? [] : [{ accountId, organisationId }],
      )
    if (members.length === 0) return
    const found = await records.members(members)
    for (const { accountId, organisationId } of members) {
      const isSame = (one: ActingMember): boolean =>
        one.accountId === accountId && one.organisationId === organisationId
      const suspended = found.find(isSame)?.suspended
      if (suspended === undefined) stopAnswers.ofRemoved({ keyIds: [], accountId, organisationId })
      else if (suspended !== null)
        stopAnswers.ofSuspended({
          thing: suspended,
          id: suspended === 'account' ? accountId : organisationId,
          keyIds: [],
          requestId: null,
        })
    }
  }
  return async () => {
    await recheckKeys()
    await recheckMembers()
  }
}
