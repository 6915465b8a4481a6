import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageLanguage } from './page-language.ts'

const ask = (url: string, headers: Record<string, string> = {}) => pageLanguage({ url, headers })

test.each([
  ['/', {}, 'en'],
  ['/', { 'accept-language': 'ja' }, 'ja'],
  ['/', { 'accept-language': 'ja-JP,en;q=0.8' }, 'ja'],
  ['/', { 'accept-language': 'en;q=0.4, ja;q=0.5' }, 'ja'],
  ['/', { 'accept-language': 'fr, ja;q=0, en;q=0.1' }, 'en'],
  ['/', { 'accept-language': 'fr' }, 'en'],
  ['/', { 'accept-language': 'ja', cookie: 'a=b; helix_language=en' }, 'en'],
  ['/?lang=ja', { cookie: 'helix_language=en' }, 'ja'],
  ['/?lang=xx', { cookie: 'helix_language=ja' }, 'ja'],
  ['/?x=1&lang=ja', {}, 'ja'],
] as const)('%s with %j is read in %s', (url, headers, language) => {
  expect(ask(url, headers)).toBe(language)
})

test('whatever is sent, the page has a language that it was rendered in', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (url, cookie, accepted) => {
      expect(['en', 'ja']).toContain(ask(`/?${url}`, { cookie, 'accept-language': accepted }))
    }),
  )
})
