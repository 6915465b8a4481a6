import type { Platform } from '../../../platform/platform.ts'
import type { Key } from '../../../platform/types.ts'
import { limitNames } from './key-draft.ts'

export type KeyChanges = Parameters<Platform['changeKey']>[0]['body']

type Fields = Pick<Key, 'name' | 'scopes' | 'models' | 'networks' | 'limits'>

/**
 * Only what differs from what was shown, so that nothing else is overwritten that somebody changed meanwhile. Limits are all
 * sent together, with what they were.
 */
export const changedFields = (
  wanted: Fields & { expiresAt?: number | null },
  shown: Fields,
  maySetLimits: boolean,
): KeyChanges => {
  const { name, scopes, models, networks, expiresAt, limits } = wanted
  const isLimited = maySetLimits && limitNames.some((limit) => limits[limit] !== shown.limits[limit])
  return {
    ...(name === shown.name ? {} : { name }),
    ...(isSame(scopes, shown.scopes) ? {} : { scopes }),
    ...(isSame(models, shown.models) ? {} : { models }),
    ...(isSame(networks, shown.networks) ? {} : { networks }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(isLimited ? { limits, was: { limits: shown.limits } } : {}),
  }
}

const isSame = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
