import { hash } from 'node:crypto'

/** Browsers that have signed in to an account before, recognised by a cookie that outlives the session. */
export interface KnownBrowsers {
  has(emailKey: string, visitToken: string | null): Promise<boolean>
  remember(emailKey: string, visitToken: string | null): Promise<void>
}

/** About a hundred bytes each, whatever the cookie contains. */
const maxBrowsers = 50_000

export const createKnownBrowsers = (): KnownBrowsers => {
  const known = new Set<string>()
  return {
    has: async (emailKey, visitToken) => visitToken !== null && known.has(browserName(emailKey, visitToken)),
    async remember(emailKey, visitToken) {
      if (visitToken === null) return
      const name = browserName(emailKey, visitToken)
      known.delete(name)
      known.add(name)
      for (const oldest of known) {
        if (known.size <= maxBrowsers) break
        known.delete(oldest)
      }
    },
  }
}

/** Reveals neither the address nor the cookie. */
export const browserName = (emailKey: string, visitToken: string): string =>
  hash('sha256', `${emailKey} ${visitToken}`, 'base64')
