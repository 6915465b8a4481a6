import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../src/store/migrations/migrations.ts'
import { repository } from './run-program.ts'
import { scratchPath } from './scratch-path.ts'

const newest = migrations.at(-1)?.id ?? 0

/**
 * The path of the `helix` of a version after this one: the same sources with one more migration, which adds a column and a table. It
 * can serve but has no pages.
 */
export const unpackNextVersion = ({ readableSince }: { readableSince?: number } = {}): string => {
  const folder = scratchPath()
  for (const path of ['helix', 'package.json', 'last-release.json', 'src', 'languages'])
    cpSync(join(repository, path), join(folder, path), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const sql = 'ALTER TABLE api_keys ADD COLUMN colour TEXT; CREATE TABLE extras (id TEXT PRIMARY KEY NOT NULL)'
  const migration = {
    ...{ id: newest + 1, name: 'an addition', sqlite: `${sql} STRICT;`, postgres: `${sql};` },
    ...(readableSince === undefined ? {} : { readableSince }),
  }
  const list = join(folder, 'src/store/migrations/migrations.ts')
  const text = readFileSync(list, 'utf8')
  const longer = text.replace(/\n\]\n\nconst baselineVersion/, `\n  ${JSON.stringify(migration)},$&`)
  if (longer === text) throw new Error('the list of migrations is written differently now')
  writeFileSync(list, longer)
  return join(folder, 'helix')
}
