import { hash } from 'node:crypto'

/** Browsers that have signed in to an account before, recognised by a cookie that outlives the session. */
export interface KnownBrowsers {
  has(emailKey: string, visitToken: string | null): boolean
  remember(emailKey: string, visitToken: string | null): void
}

/** About a hundred bytes each, whatever the cookie contains. */
const maxBrowsers = 50_000

export const createKnownBrowsers = (): KnownBrowsers => {
  const known = new Set<string>()
  const nameOf = (emailKey: string, visitToken: string): string => hash('sha256', `${emailKey} ${visitToken}`, 'base64')
  return {
    has: (emailKey, visitToken) => visitToken !== null && known.has(nameOf(emailKey, visitToken)),
    remember(emailKey, visitToken) {
      if (visitToken === null) return
      const name = nameOf(emailKey, visitToken)
      known.delete(name)
      known.add(name)
      for (const oldest of known) {
        if (known.size <= maxBrowsers) break
        known.delete(oldest)
      }
    },
  }
}
