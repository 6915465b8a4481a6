import type { RequestPlace } from '../../store/request-log-contract.ts'

/** A position in the log, as the cursor of the next page. */
export const placeText = ({ ledger, refusals }: RequestPlace): string =>
  `${ledger.toString(36)}-${refusals.toString(36)}`

/** Null if it is not such a cursor. */
export const readPlace = (text: string): RequestPlace | null => {
  const [, ledger, refusals] = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})$/.exec(text) ?? []
  if (ledger === undefined || refusals === undefined) return null
  const place = { ledger: Number.parseInt(ledger, 36), refusals: Number.parseInt(refusals, 36) }
  return Number.isSafeInteger(place.ledger) && Number.isSafeInteger(place.refusals) ? place : null
}
