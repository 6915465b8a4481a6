import { changeDatabase } from './change-database.ts'

type Table = 'ledger_reservations' | 'ledger_settlements' | 'replays'

/** As if the disk were full: SQLite refuses to write rows of this table, and with them the rest of their transaction. */
export const refuseRows = async ({ dataDir }: { dataDir: string }, table: Table) => {
  const refusal = `BEGIN SELECT raise(ABORT, 'database or disk is full'); END`
  await changeDatabase({ dataDir }, `CREATE TRIGGER no_room BEFORE INSERT ON ${table} ${refusal}`)
  return { allowAgain: () => changeDatabase({ dataDir }, 'DROP TRIGGER no_room') }
}
