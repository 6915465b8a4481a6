import { hash } from 'node:crypto'

/** Browsers that signed in to an account before, by the cookie that they keep when the session ends. */
export interface KnownBrowsers {
  has(emailKey: string, visitToken: string | null): boolean
  remember(emailKey: string, visitToken: string | null): void
}

/** Whatever the cookie holds, a browser takes some hundred bytes. */
const most = 50_000

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
        if (known.size <= most) break
        known.delete(oldest)
      }
    },
  }
}
