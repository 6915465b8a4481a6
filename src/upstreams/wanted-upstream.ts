import { ApiError } from '../base/api-error.ts'
import { SettingError } from '../config/setting-error.ts'
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
  const edited = { ...kept, key, ...changes, name: kept.name }
  const isElsewhere = typeof edited.url === 'string' && URL.parse(edited.url)?.origin !== URL.parse(kept.url)?.origin
  if (isElsewhere && key !== null && changes.key === undefined)
    throw invalidUpstream('The URL is that of another server. Send its key too, or null if it needs none.')
  return readWanted(edited)
}

export const invalidUpstream = (reason: string): ApiError => ApiError.of('invalid_upstream', { reason })
