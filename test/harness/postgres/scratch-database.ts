import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Runs statements as one session, which ends with them. */
export const execSql = async (url: string, ...statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
export const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export type ScratchDatabase = AsyncDisposable & { url: string }

/** A copy of the template, which costs less than creating its tables again. */
export const createScratchDatabase = async (server: string, template: string): Promise<ScratchDatabase> => {
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await execSql(server, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    url: databaseUrl(server, name),
    [Symbol.asyncDispose]: () => execSql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}
