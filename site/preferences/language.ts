import type { Language } from '../../src/site-server/pages.ts'

/** The server sends each page in one language and says so in `lang`; the choice travels back in a cookie. */
export const pageLanguage = (): Language => (document.documentElement.lang === 'ja' ? 'ja' : 'en')

export const rememberLanguage = (language: Language): void => {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where there is no HTTPS
  document.cookie = `helix_language=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
}
