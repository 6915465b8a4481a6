import type { LoggedRequest, RequestMark } from '../../request-log-contract.ts'
import { type FoundRow, findCallers } from '../ledger/ledger.ts'
import type { Query } from '../query.ts'
import type { RequestReads } from './request-reads.ts'

type RequestNews = { rows: LoggedRequest[]; mark: RequestMark }

/** A mark comes from outside: requests of another organisation in it are ignored. */
export const listRequestNews = ({ rowsAt, rowsAfter, refusalsAfter }: RequestReads) =>
  function* (organisationId: string, mark: RequestMark, limit: number): Query<RequestNews> {
    const rows: LoggedRequest[] = []
    const open: number[] = []
    const look = ({ sequence, row }: FoundRow, isNew: boolean): void => {
      if (row.organisationId !== organisationId) return
      if (row.settlement === null) open.push(sequence)
      if (isNew || row.settlement !== null) rows.push(row)
    }
    for (const found of yield* rowsAt(mark.open)) look(found, false)
    const begun = yield* rowsAfter(yield* findCallers(organisationId), mark.newest, limit)
    for (const found of begun) look(found, true)
    const refused = yield* refusalsAfter(organisationId, mark.refused, limit)
    for (const { row } of refused) rows.push(row)
    const reached = { newest: begun.at(-1)?.sequence ?? mark.newest, refused: refused.at(-1)?.sequence ?? mark.refused }
    return { rows, mark: { ...reached, open } }
  }
