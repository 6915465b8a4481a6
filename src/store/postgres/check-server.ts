import type { ClientBase } from 'pg'
import { integer, type Row, text } from '../operations/row.ts'

const oldestVersion = 14

/** Throws unless the server is recent enough and the database has all characters. Returns the version of the server. */
export const checkServer = async (client: ClientBase): Promise<string> => {
  const { rows } = await client.query<Row>(`SELECT current_setting('server_version_num')::integer AS number,
    current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`)
  const [row = {}] = rows
  const version = text(row, 'version')
  if (integer(row, 'number') < oldestVersion * 10_000)
    throw new Error(`PostgreSQL ${version} is too old: version ${oldestVersion} or newer is required`)
  const encoding = text(row, 'encoding')
  if (encoding !== 'UTF8') throw new Error(`the encoding of the database is ${encoding}, but UTF8 is required`)
  return version
}
