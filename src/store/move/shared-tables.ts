import type { Table } from './store-tables.ts'

/** Tables that describe the database itself, not its content. */
export const ownTables = ['schema_migrations', 'schema_support', 'store_move', 'move_verified']

/**
 * The tables and columns that both databases have. A test makes sure that those which only one has can be left out, so
 * that a new migration changes nothing here.
 */
export const sharedTables = (one: readonly Table[], other: readonly Table[]): Table[] =>
  one.flatMap((table) => {
    const twin = other.find(({ name }) => name === table.name)
    if (twin === undefined) return []
    const columns = table.columns.filter((column) => twin.columns.includes(column))
    const key = table.key.length <= twin.key.length ? table.key : twin.key
    return [{ name: table.name, columns, key }]
  })
