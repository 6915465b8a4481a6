import type { Seal } from '../accounts/secrets/seal.ts'
import { sealedContexts } from '../accounts/secrets/sealed-contexts.ts'
import type { Log } from '../base/log.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { SettingError } from '../config/setting-error.ts'
import { readUpstream, type UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamRecord } from '../store/upstream-contract.ts'
import { createEntry, type UpstreamEntry } from './upstream-entry.ts'

/** As it is in the database. */
export const storedForm = ({ key, ...setting }: UpstreamSetting, seal: Seal) => ({
  name: setting.name,
  definition: JSON.stringify(definitionOf(setting)),
  sealedKey: key === null ? null : seal.close(Buffer.from(key), sealedContexts.upstream(setting.name)),
})

/** Without what says nothing and the last release does not know: it can still read upstreams that need none of it. */
const definitionOf = ({
  keyFrom: _,
  preset,
  apiVersion,
  builtInTools,
  models,
  ...definition
}: Omit<UpstreamSetting, 'key'>) => ({
  ...definition,
  ...(builtInTools.length === 0 ? {} : { builtInTools }),
  ...(preset === null ? {} : { preset }),
  ...(apiVersion === null ? {} : { apiVersion }),
  models: models?.map(({ kind, ...model }) => (kind === 'chat' ? model : { kind, ...model })) ?? null,
})

/** Empty if the settings define the upstream, or if the record is of a newer version and cannot be read. */
export const readStoredEntry = (
  record: UpstreamRecord,
  configured: readonly UpstreamSetting[],
  seal: Seal,
  log: Log,
): UpstreamEntry[] => {
  const { name, definition, sealedKey } = record
  if (definition === null || configured.some((setting) => setting.name === name)) return []
  try {
    const setting = readUpstream(parseJsonText(definition), `upstream ${name}`)
    const key = sealedKey === null ? null : (seal.open(sealedKey, sealedContexts.upstream(name))?.toString() ?? null)
    if (sealedKey !== null && key === null) log.error('upstream_key_unreadable', { upstream: name })
    return [createEntry({ ...setting, key }, 'added', [record])]
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    log.error('upstream_unreadable', { upstream: name, reason: error.message })
    return []
  }
}
