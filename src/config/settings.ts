import { logLevels } from '../base/log-fields.ts'
import { accountSettings } from './account-settings.ts'
import { answerSettings } from './answer-settings.ts'
import { engineSettings } from './engine-settings.ts'
import { httpSettings } from './http-settings.ts'
import { modelSettings } from './model-settings.ts'
import { queueSettings } from './queue-settings.ts'
import { recordSettings } from './record-settings.ts'
import { requestSettings } from './request-settings.ts'
import { serverSettings } from './server-settings.ts'
import { choice, type Setting, text } from './setting.ts'
import { upstreamSettings } from './upstream-settings.ts'
import { usageSettings } from './usage-settings.ts'

/**
 * Every setting of the program, in the order of `docs/config.md`, which is generated from this table. Its name here is its name
 * in `helix.config.json`; `HELIX_DATA_DIR` and `--data-dir` are derived from it.
 */
export const settings = {
  ...serverSettings,
  ...httpSettings,
  ...accountSettings,
  ...modelSettings,
  ...engineSettings,
  ...upstreamSettings,
  ...usageSettings,
  ...answerSettings,
  ...recordSettings,
  ...queueSettings,
  ...requestSettings,
  apiKey: text({
    default: null,
    secret: true,
    text: 'API key for `helix chat`, instead of a temporary key it creates.',
  }),
  logLevel: choice(logLevels, {
    default: 'info',
    text: 'Least level of the events in the log. With `warn` or `error`, requests that succeed are not logged.',
  }),
  logFormat: choice(['auto', 'json', 'text'], {
    default: 'auto',
    text: 'Log format: JSON lines or human-readable text. `auto` uses text on a terminal and JSON otherwise.',
  }),
} satisfies Record<string, Setting<unknown>>

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
