import { isRecord } from '../../base/is-record.ts'
import { type HubAccess, HubFailed, readHubJson } from './read-hub-json.ts'

/** A repository on the hub. */
export type HubRepository = {
  /** `owner/name`. */
  id: string
  downloads: number | null
  likes: number | null
  /** As the hub calls it, such as `apache-2.0`; null if it does not say. */
  licence: string | null
  /** Only for those who accepted its terms on the hub. */
  isGated: boolean
}

const hubSearchLimit = 20

/** Repositories with GGUF files, those with the most downloads first. */
export const searchHub = async (access: HubAccess, text: string): Promise<HubRepository[]> => {
  const query = new URLSearchParams({ search: text, filter: 'gguf', sort: 'downloads', direction: '-1' })
  query.set('limit', String(hubSearchLimit))
  const json = await readHubJson(access, `/api/models?${query}`)
  if (!Array.isArray(json)) throw new HubFailed('The model hub did not answer with a list of models')
  return json.slice(0, hubSearchLimit).flatMap((value: unknown) => readRepository(value) ?? [])
}

/** The id of a repository becomes part of addresses. */
export const isRepositoryId = (id: string): boolean => /^[\w][\w.-]{0,95}\/[\w][\w.-]{0,95}$/.test(id)

const readRepository = (value: unknown): HubRepository | null => {
  if (!isRecord(value)) return null
  const id = value.id ?? value.modelId
  if (typeof id !== 'string' || !isRepositoryId(id)) return null
  const tags = Array.isArray(value.tags) ? value.tags : []
  const licence = tags.find((tag: unknown) => typeof tag === 'string' && /^license:[\w.-]{1,60}$/.test(tag))
  return {
    id,
    downloads: count(value.downloads),
    likes: count(value.likes),
    licence: typeof licence === 'string' ? licence.slice('license:'.length) : null,
    isGated: value.gated === 'auto' || value.gated === 'manual' || value.gated === true,
  }
}

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
