import { basename, join, resolve } from 'node:path'
import { version } from '../base/version.ts'
import { listChangedDefaults, listNewSettings, listRemovedSettings } from '../config/changed-settings.ts'
import { readLastRelease } from '../config/last-release.ts'
import { warnOfProxies } from '../config/public-name.ts'
import { type Config, settings } from '../config/settings.ts'
import { describeModels } from '../models/describe-models.ts'
import { modelEntries } from '../models/model-entries.ts'
import { readModelList } from '../models/model-list-file.ts'
import { planUpgrade, type SchemaState } from '../store/migrations/schema-state.ts'
import { type Command, jsonOption, type Terminal, UsageError } from './command.ts'

export const upgrade: Command = {
  name: 'upgrade',
  summary: 'Say what this version will change about existing data and settings.',
  options: {
    ...jsonOption,
    check: {
      type: 'boolean',
      text: 'Only look; nothing is changed. Required: a server upgrades its data when it starts.',
    },
  },
  note: 'Run it with the new version and the settings of the old one, which may be running. It exits with 1 if the upgrade would fail. See docs/operate/upgrade.md.',
  async run({ config, options, terminal }) {
    if (options.check !== true)
      throw new UsageError("'helix upgrade' requires --check: a server upgrades its data when it starts")
    const found = await examine(config)
    if (options.json === true) terminal.out(`${JSON.stringify(found)}\n`)
    else print(found, terminal)
    return found.ok ? 0 : 1
  },
}

type Found = Awaited<ReturnType<typeof examine>>

const examine = async (config: Config) => {
  const last = readLastRelease()
  const state = await readState(config)
  const plan = state === null ? null : planUpgrade(state)
  const disk = state?.disk ?? null
  const isRoomy = disk === null || plan?.due.length === 0 || disk.freeBytes >= disk.neededBytes
  return {
    ok: isRoomy,
    version,
    database: plan === null ? null : { ...plan, backup: disk, isRoomy },
    settings: {
      since: last.version,
      changedDefaults: listChangedDefaults(config, last.settings),
      added: listNewSettings(last.settings),
      removed: listRemovedSettings(last.settings),
    },
    warnings: [warnOfProxies(config) ?? []].flat(),
    models: { since: last.version, changedWeights: await listChangedWeights(config, last.models) },
  }
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** The names of included models that are served and have other weights than before. Those of the operator do not change by an upgrade. */
const listChangedWeights = async (config: Config, before: Readonly<Record<string, string>>): Promise<string[]> => {
  const entries = modelEntries(config, await readModelList(config.dataDir))
  const included = entries.filter(({ path }) => path === settings.model.default)
  const described = await describeModels(included, silent)
  return described.flatMap(({ id, entry, files }) => {
    const earlier = before[basename(entry.path)]
    return files === null || earlier === undefined || files.served.weightsId === earlier ? [] : [id]
  })
}

/** Null: there is no database yet. */
const readState = async (config: Config): Promise<SchemaState | null> => {
  if (config.store === null) {
    const { examineSqlite } = await import('../store/sqlite/database/examine-sqlite.ts')
    return examineSqlite(join(resolve(config.dataDir), 'helix.db'))
  }
  const { readPostgresSchema } = await import('../store/postgres/examine-postgres.ts')
  return readPostgresSchema(config.store)
}

const print = ({ database, settings, models, warnings }: Found, { out }: Terminal): void => {
  const warned = warnings.map((warning) => `Warning: ${warning}.`)
  const lines = [...describeDatabase(database), ...describeSettings(settings), ...describeWeights(models), ...warned]
  for (const line of lines) out(`${line}\n`)
}

const describeDatabase = (database: Found['database']): string[] => {
  if (database === null) return ['Database: none yet; it will be created.']
  const { from, to, due, backup, canGoBack, isRoomy } = database
  if (due.length === 0) return [`Database: at version ${from}; nothing to migrate.`]
  const lines = [
    `Database: version ${from} will be migrated to ${to}:`,
    ...due.map(({ id, name }) => `  ${id}  ${name}`),
  ]
  if (backup === null) lines.push('Backup: none is made; dump the database before you start the new version.')
  else
    lines.push(
      `Backup: made before the migration. It needs ${inMb(backup.neededBytes)} of disk space, ${inMb(backup.freeBytes)} are free${isRoomy ? '' : ': TOO LITTLE'}.`,
    )
  lines.push(
    canGoBack
      ? 'Going back: the version that uses the database now can be started again afterwards.'
      : 'Going back: only with a backup from before, because the version that uses the database now does not open it afterwards.',
  )
  return lines
}

const describeSettings = ({ since, changedDefaults, added, removed }: Found['settings']): string[] => [
  `Settings: all that are set are valid. Since ${since}, ${added.length} were added and ${removed.length} removed.`,
  ...removed.map((name) => `  ${name} was removed`),
  ...changedDefaults.map(
    ({ name, before, now }) => `  ${name} is not set, and its default was ${before} and is ${now}`,
  ),
]

const describeWeights = ({ since, changedWeights }: Found['models']): string[] =>
  changedWeights.map(
    (name) =>
      `Answers of ${name} change, also at temperature 0 or with a seed: it has other weights than in ${since}. Answers that were cached before are not used.`,
  )

const inMb = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`
