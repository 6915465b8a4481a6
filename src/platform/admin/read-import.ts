import { ApiError } from '../../base/api-error.ts'
import { findPreset } from '../../config/upstream-presets.ts'
import { importedBody } from '../../upstreams/litellm/imported-body.ts'
import type { ImportedConfig, ImportedUpstream } from '../../upstreams/litellm/litellm-config.ts'
import { readLitellmApart } from '../../upstreams/litellm/read-litellm-apart.ts'
import { invalidUpstream, readWanted } from '../../upstreams/wanted-upstream.ts'
import type { ImportPreview } from '../contract/upstreams.ts'

/** What a `config.yaml` would add. No key leaves the server again, and none of its environment is read. */
export const previewImport = async (config: string, currency: string): Promise<ImportPreview> => {
  const { upstreams, omitted } = await read(config, currency)
  return {
    omitted,
    upstreams: upstreams.map((imported) => ({
      name: imported.name,
      url: shownUrl(imported),
      models: imported.models.map(({ name }) => name),
      ...keyOf(imported),
      problem: problemOf(imported),
    })),
  }
}

type Chosen = { config: string; name: string; key?: string | null | undefined }

/** One of the upstreams, as the form would send it. */
export const readImported = async ({ config, name, key }: Chosen, currency: string) => {
  const { upstreams } = await read(config, currency)
  const imported = upstreams.find((one) => one.name === name)
  if (imported === undefined) throw invalidUpstream('The file has no such upstream.')
  return importedBody(imported, key ?? ownKey(imported))
}

const read = async (text: string, currency: string): Promise<ImportedConfig> => {
  const outcome = await readLitellmApart({ text, currency })
  if ('problem' in outcome) throw invalidUpstream(outcome.problem)
  return outcome.config
}

const ownKey = ({ key }: ImportedUpstream): string | null => (key !== null && 'value' in key ? key.value : null)

const keyOf = ({ key }: ImportedUpstream): Pick<ImportPreview['upstreams'][number], 'key' | 'variable'> => {
  if (key === null) return { key: 'none', variable: null }
  return 'value' in key ? { key: 'given', variable: null } : { key: 'missing', variable: key.from }
}

const shownUrl = ({ preset, url }: ImportedUpstream): string => {
  const parsed = URL.parse(url ?? findPreset(preset)?.url ?? '')
  return parsed === null ? '' : `${parsed.origin}${parsed.pathname}`
}

const problemOf = (imported: ImportedUpstream): string | null => {
  try {
    readWanted(importedBody(imported, ownKey(imported)))
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
