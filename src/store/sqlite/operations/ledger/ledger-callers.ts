import type { DatabaseSync } from 'node:sqlite'
import { pseudonym } from '../../../operations/ledger/pseudonymise.ts'
import { integer } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'
import { cachedCallers } from './ledger-cache.ts'

/** The number of an organisation and its key in the ledger. */
export const findCallerNumber = (db: DatabaseSync, organisationId: string, keyId: string | null): number => {
  const callers = cachedCallers(db)
  const name = `${organisationId} ${keyId ?? ''}`
  const known = callers.get(name)
  if (known !== undefined) return known
  // Its account may have been deleted a moment ago: then the row gets no name that would have to be taken away again.
  if (!exists(db, organisationId)) return insertCaller(db, pseudonym(), keyId === null ? null : pseudonym())
  const find = "SELECT id FROM ledger_parties WHERE organisation_id = ? AND coalesce(key_id, '') = ?"
  const row = prepared(db, find).get(organisationId, keyId ?? '')
  const caller = row === undefined ? insertCaller(db, organisationId, keyId) : integer(row, 'id')
  callers.set(name, caller)
  return caller
}

const exists = (db: DatabaseSync, organisationId: string): boolean =>
  prepared(db, 'SELECT 1 FROM organisations WHERE id = ?').get(organisationId) !== undefined

const insertCaller = (db: DatabaseSync, organisationId: string, keyId: string | null): number =>
  Number(
    prepared(db, 'INSERT INTO ledger_parties (organisation_id, key_id) VALUES (?, ?)').run(organisationId, keyId)
      .lastInsertRowid,
  )
