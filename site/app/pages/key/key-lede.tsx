import type { Key } from '../../../platform/types.ts'
import { roundText } from '../../figures.ts'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { keyState } from '../keys/key-state.ts'

/** Whether the key works, and if not, why; then how much it has used. */
export const KeyLede = ({ apiKey, now }: { apiKey: Key; now: number }) => {
  const { language, words } = useLocale()
  const { keys } = words
  const state = keyState(apiKey, now)
  const { expiresAt, revokedAt, tokensThisMonth } = apiKey
  const sentence = (): string => {
    if (state === 'revoked' && revokedAt !== null) return keys.ledeRevoked(momentText(revokedAt, language))
    if (state === 'expired' && expiresAt !== null) return keys.ledeExpired(momentText(expiresAt, language))
    if (state === 'suspended') return keys.ledeSuspended
    if (state === 'paused') return keys.ledePaused
    return state === 'full' ? keys.ledeFull : keys.ledeWorks
  }
  return (
    <>
      <b>{sentence()}</b> <span className="muted">{keys.ledeUsed(roundText(tokensThisMonth, language))}</span>
    </>
  )
}
