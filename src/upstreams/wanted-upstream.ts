import { ApiError } from '../base/api-error.ts'
import { SettingError } from '../config/setting-error.ts'
import { findPreset } from '../config/upstream-presets.ts'
import { readUpstream, type UpstreamSetting } from '../config/upstream-setting.ts'

/** Reads an upstream that an operator adds. Throws `invalid_upstream`. */
export const readWanted = (wanted: unknown): UpstreamSetting => {
  try {
    const setting = readUpstream(wanted, 'upstream')
    if (setting.keyFrom !== null) throw new SettingError('upstream, keyFrom: unknown field')
    if (setting.models?.some((model) => model.default))
      throw new SettingError('upstream, models: only the settings can choose the default model')
    return setting
  } catch (error) {
    throw error instanceof SettingError ? invalidUpstream(`${error.message}.`) : error
  }
}

/** The upstream with changes. Throws `invalid_upstream`. */
export const readChanged = (
  { key, keyFrom: _, ...kept }: UpstreamSetting,
  changes: Readonly<Record<string, unknown>>,
): UpstreamSetting => {
  const edited = { ...withoutPreset(kept, changes), key, ...changes, name: kept.name }
  const url = edited.url ?? findPreset(edited.preset)?.url
  const isElsewhere = typeof url === 'string' && URL.parse(url)?.origin !== URL.parse(kept.url)?.origin
  if (isElsewhere && key !== null && changes.key === undefined)
    throw invalidUpstream('The URL is that of another server. Send its key too, or null if it needs none.')
  return readWanted(edited)
}

/** Another preset sets what it sets, unless the changes do. */
const withoutPreset = (
  kept: Omit<UpstreamSetting, 'key' | 'keyFrom'>,
  { preset }: Readonly<Record<string, unknown>>,
): Partial<UpstreamSetting> => {
  const chosen = preset === kept.preset ? null : findPreset(preset)
  if (chosen === null) return kept
  const { url, kind: _kind, features: _features, capabilities: _capabilities, apiVersion: _version, ...others } = kept
  // They were allowed for another provider.
  const { builtInTools: _tools, ...rest } = others
  return chosen.url === null ? { ...rest, url } : rest
}

export const invalidUpstream = (reason: string): ApiError => ApiError.of('invalid_upstream', { reason })
