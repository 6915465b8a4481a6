import type { Log } from '../base/log.ts'
import type { LedgerRecords, ReplacedGuess, Settlement } from '../store/ledger-contract.ts'
import type { ReplayRecord } from '../store/replay-contract.ts'

/** Whose requests have other counts in the ledger than their limits were told, and on which days. */
export type Corrected = Pick<ReplacedGuess, 'organisationId' | 'keyId'> & { days: readonly number[] }
export type OnCorrected = (corrected: Corrected) => void

type Dependencies = { records: Pick<LedgerRecords, 'replaceGuess'>; log: Log }

/**
 * Another node took the one that ran the request for dead, and settled it at its last checkpoint: that is replaced by what was
 * delivered. Null: the request is settled otherwise.
 */
export const correctGuess = async (
  settlement: Settlement,
  replay: ReplayRecord | undefined,
  { records, log }: Dependencies,
): Promise<(Corrected & Pick<ReplacedGuess, 'model'>) | null> => {
  const replaced = await records.replaceGuess(settlement, replay ?? null)
  if (replaced === null) return null
  const { requestId, outcome, promptTokens, completionTokens, day } = settlement
  const { organisationId, keyId, model, guess } = replaced
  log.warn('ledger_guess_replaced', {
    ...{ requestId, outcome, promptTokens, completionTokens },
    ...{ guessedPromptTokens: guess.promptTokens, guessedCompletionTokens: guess.completionTokens },
  })
  return { organisationId, keyId, model, days: [...new Set([day, guess.day])] }
}
