import { accountSettings } from './account-settings.ts'
import { backupSettings } from './backup-settings.ts'
import { cacheSettings } from './cache-settings.ts'
import { clusterSettings } from './cluster-settings.ts'
import { commandLineSettings } from './command-line-settings.ts'
import { engineSettings } from './engine-settings.ts'
import { hookSettings } from './hook-settings.ts'
import { logSettings } from './log-settings.ts'
import { mailSettings } from './mail-settings.ts'
import { modelSettings } from './model-settings.ts'
import { priceSettings } from './price-settings.ts'
import { queueSettings } from './queue-settings.ts'
import { recordSettings } from './record-settings.ts'
import { replaySettings } from './replay-settings.ts'
import { requestSettings } from './request-settings.ts'
import { serverSettings } from './server-settings.ts'
import type { Setting } from './setting.ts'
import { signInSettings } from './sign-in-settings.ts'
import { storageSettings } from './storage-settings.ts'
import { tracesSettings } from './traces-settings.ts'
import { upstreamSettings } from './upstream-settings.ts'
import { usageSettings } from './usage-settings.ts'
import { webhookSettings } from './webhook-settings.ts'

/**
 * Every setting of the program, in the groups and the order of `docs/config.md`, which is generated from this table. A setting is in
 * the group whose file it is declared in; `languages/en/settings.ts` has the heading of each.
 */
export const settingGroups = {
  server: serverSettings,
  storage: storageSettings,
  cluster: clusterSettings,
  accounts: accountSettings,
  signIn: signInSettings,
  mail: mailSettings,
  webhooks: webhookSettings,
  models: modelSettings,
  engine: engineSettings,
  upstreams: upstreamSettings,
  limits: usageSettings,
  prices: priceSettings,
  queue: queueSettings,
  requests: requestSettings,
  replay: replaySettings,
  hooks: hookSettings,
  cache: cacheSettings,
  records: recordSettings,
  backups: backupSettings,
  logs: logSettings,
  traces: tracesSettings,
  commandLine: commandLineSettings,
} satisfies Record<string, Record<string, Setting<unknown>>>

type Groups = typeof settingGroups
export type SettingGroup = keyof Groups

type Joined<Part> = (Part extends unknown ? (part: Part) => void : never) extends (part: infer All) => void
  ? All
  : never
type Settings = { [Name in keyof Joined<Groups[SettingGroup]>]: Joined<Groups[SettingGroup]>[Name] }

/** Sound because it takes every row of every group; a test fails if two have a row of the same name. */
const joinGroups = (groups: Groups): Settings =>
  Object.fromEntries(Object.values(groups).flatMap((rows) => Object.entries<Setting<unknown>>(rows))) as Settings

/** By name, which is that in `helix.config.json`; `HELIX_DATA_DIR` and `--data-dir` are derived from it. */
export const settings = joinGroups(settingGroups)

export type SettingName = keyof typeof settings
export type Config = { [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> }

export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

/** Those that can be changed while the server runs. */
export const runTimeNames = settingNames.filter((name) => 'editedIn' in settings[name])

/** Every user of the machine can read a secret on a command line. */
export const flagSettingNames = settingNames.filter(
  (name) => !('secret' in settings[name] || 'hasNoFlag' in settings[name]),
)

const words = (name: string): string[] => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
export const environmentName = (name: string): string => `HELIX_${words(name).join('_').toUpperCase()}`
export const flagName = (name: string): string => words(name).join('-')
