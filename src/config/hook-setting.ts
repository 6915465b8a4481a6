import { parseJsonText } from '../base/parse-json-text.ts'
import { orNull, readObject } from './read-object.ts'
import { choice, choices, type Described, integer, refuse, type Setting } from './setting.ts'
import { atIndex, readEach, SettingError } from './setting-error.ts'
import { httpUrl } from './url-setting.ts'

const hookPhases = ['before', 'after'] as const
export type HookPhase = (typeof hookPhases)[number]
export const secretShapes = ['api_keys', 'private_keys', 'cards', 'emails'] as const
export type SecretShape = (typeof secretShapes)[number]

/** One hook of the setting `hooks`: it looks for patterns and secrets, or asks an HTTP server. */
export type HookSetting = {
  name: string
  phases: readonly HookPhase[]
  /** What happens if it cannot decide. */
  onFailure: 'block' | 'allow'
} & (
  | { url: string; timeoutMs: number }
  | { url: null; secrets: readonly SecretShape[]; patterns: readonly string[]; action: 'redact' | 'block' }
)

const maxHooks = 20
const maxPatterns = 100
const kind = 'a JSON array of objects with `name`, and `url`, `secrets` or `patterns`'

/** A list of hooks, as JSON. Their names are unique. */
export const hooks = (options: Described<readonly HookSetting[]>): Setting<readonly HookSetting[]> => ({
  ...options,
  kind,
  hasNoFlag: true,
  read(value) {
    const items = typeof value === 'string' ? parse(value) : value
    if (!Array.isArray(items)) return refuse(kind)
    if (items.length > maxHooks) throw new SettingError(`${items.length} hooks, and at most ${maxHooks} are possible`)
    const found = readEach(items, (item: unknown, index) => atIndex(index, () => readHook(item, `hook ${index + 1}`)))
    const names = found.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new SettingError(`two hooks have the name ${twice}`)
    return found
  },
})

const secretsKind = '`whsec_` and 24 to 64 bytes in Base64; two, separated by a comma, while it is replaced'

/** The secrets that requests to HTTP hooks are signed with. One text, so that it is nowhere shown. */
export const hookSecrets = (options: Described<string | null>): Setting<string | null> => ({
  ...options,
  kind: secretsKind,
  read: (value) => (typeof value === 'string' && splitSecrets(value).every(isSecret) ? value : refuse(secretsKind)),
})

export const splitSecrets = (value: string): string[] => value.split(',').map((one) => one.trim())

const isSecret = (secret: string): boolean => {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return false
  const { length } = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return length >= 24 && length <= 64
}

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return refuse(kind)
  }
}

const nameKind = 'a name of up to 50 letters, digits, _ and -'
const readName = (value: unknown): string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{1,50}$/.test(value) ? value : refuse(nameKind)

const patternsKind = `an array of up to ${maxPatterns} patterns`
const readPatterns = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.length <= maxPatterns && value.every((item) => typeof item === 'string' && item !== '')
    ? value
    : refuse(patternsKind)

const described = { default: [], text: '' }
const readers = {
  name: readName,
  url: orNull(httpUrl({ default: null, text: '' }).read),
  phases: choices(hookPhases, described).read,
  onFailure: choice(['block', 'allow'], { default: 'block', text: '' }).read,
  timeoutMs: integer({ default: 2000, min: 10, max: 60_000, text: '' }).read,
  secrets: choices(secretShapes, described).read,
  patterns: readPatterns,
  action: choice(['redact', 'block'], { default: 'redact', text: '' }).read,
}

type Fields = { [Name in keyof typeof readers]?: ReturnType<(typeof readers)[Name]> }

const readHook = (item: unknown, where: string): HookSetting => {
  const fields = asFields(readObject(item, { where, readers, required: ['name'], kind }))
  const { name = '', url = null, phases = [], onFailure = 'block', timeoutMs = 2000 } = fields
  const { secrets = [], patterns = [], action = 'redact' } = fields
  const common = { name, phases: phases.length === 0 ? hookPhases : phases, onFailure }
  const looks = secrets.length + patterns.length > 0
  if ((url === null) !== looks) throw new SettingError(`${where}: expected either url, or secrets or patterns`)
  return url === null ? { ...common, url, secrets, patterns, action } : { ...common, url, timeoutMs }
}

/** True because `readObject` reads each field with its reader and refuses others. */
const asFields = (fields: object): Fields => fields as Fields
