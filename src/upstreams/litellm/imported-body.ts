import type { ImportedUpstream } from './litellm-config.ts'

/** The upstream as the form and the command `upstreams add` send it. `key`: null if it has none. */
export const importedBody = (imported: ImportedUpstream, key: string | null) => {
  const { name, preset, url, apiVersion, maxInFlight, models } = imported
  return {
    name,
    ...(preset === null ? {} : { preset }),
    ...(url === null ? {} : { url }),
    ...(key === null ? {} : { key }),
    ...(apiVersion === null ? {} : { apiVersion }),
    ...(maxInFlight === null ? {} : { maxInFlight }),
    models,
  }
}
