import { mkdirSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { migrate } from '../src/store/postgres/migrate.ts'
import { findPostgres } from '../test/harness/postgres/find-postgres.ts'
import { startPostgres } from '../test/harness/postgres/start-postgres.ts'
import { documentPostgresSchema } from './document-postgres-schema.ts'
import { documentSqliteSchema } from './document-sqlite-schema.ts'

/** `npm run schema`: writes the current schema of both databases. PostgreSQL's is read from one that is started for it. */
const write = (name: string, text: string): void => {
  const folder = new URL('../docs/schema/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(name, folder), text)
  console.log(`wrote docs/schema/${name}`)
}

const readPostgresSchema = async (programs: string): Promise<string> => {
  const server = await startPostgres(programs)
  const client = new pg.Client(server.url)
  try {
    await client.connect()
    await migrate(client, 0)
    return await documentPostgresSchema(client)
  } finally {
    await client.end()
    await server.close()
  }
}

write('sqlite.sql', documentSqliteSchema())
const programs = await findPostgres()
if (programs === null) {
  console.error('docs/schema/postgres.sql was not written: PostgreSQL is not installed.')
  process.exitCode = 1
} else write('postgres.sql', await readPostgresSchema(programs))
