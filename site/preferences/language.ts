import type { LanguageCode } from '../../languages/language.ts'

/** For the server, which sends pages in this language from now on. */
export const rememberLanguage = (code: LanguageCode): void => {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where there is no HTTPS
  document.cookie = `helix_language=${code}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
}
