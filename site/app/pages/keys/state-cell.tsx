import type { Key } from '../../../platform/types.ts'
import { Tag } from '../../components/tag.tsx'
import { daysUntil, dayText, momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { type KeyState, keyState } from './key-state.ts'

const shapes = {
  live: 'ok',
  rotating: 'ok',
  near: 'warn',
  full: 'bad',
  ending: 'warn',
  suspended: 'bad',
  paused: 'warn',
  expired: 'bad',
  revoked: 'off',
} as const

export const StateCell = ({ apiKey, now }: { apiKey: Key; now: number }) => {
  const { language, words } = useLocale()
  const { keys, shell } = words
  const state = keyState(apiKey, now)
  const stateWords: Record<KeyState, string> = {
    live: keys.stateLive,
    rotating: keys.stateRotating,
    near: keys.stateNear,
    full: keys.stateFull,
    ending: keys.stateEnding,
    suspended: shell.suspended,
    paused: keys.statePaused,
    expired: keys.stateExpired,
    revoked: keys.stateRevoked,
  }
  const { revokedAt, previousUntil, expiresAt } = apiKey
  const more = (): string | null => {
    if (revokedAt !== null) return dayText(revokedAt, now, language)
    if (state === 'rotating' && previousUntil !== null) return keys.oldUntil(momentText(previousUntil, language))
    return state === 'ending' && expiresAt !== null ? keys.inDays(daysUntil(expiresAt, now)) : null
  }
  const said = more()
  return (
    <>
      <Tag state={shapes[state]}>{stateWords[state]}</Tag>
      {said === null ? null : <span className="subtext">{said}</span>}
    </>
  )
}
