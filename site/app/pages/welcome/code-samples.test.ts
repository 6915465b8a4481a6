import { expect, test } from 'vitest'
import { language } from '../../../../languages/en/language.ts'
import { words } from '../../../../languages/en/public-pages.ts'
import { settings } from '../../../../src/config/settings.ts'
import { renderQuickstart } from '../../../public-pages/documents/quickstart.ts'
import { requestCode } from '../playground/request-code.ts'
import { codeSamples } from './code-samples.ts'

const baseUrl = 'http://localhost:8080/v1'
const first = codeSamples({ baseUrl, key: 'hx_live_1', model: 'helix-v1', question: 'Hi?', environmentName: 'Env' })
const next = requestCode(
  {
    model: 'helix-v1',
    messages: [{ role: 'user', content: 'Hi?' }],
    stream: true,
    stream_options: { include_usage: true },
  },
  baseUrl,
)
const samples = [...first, ...next].map(({ parts }) =>
  parts.map((part) => (typeof part === 'string' ? part : 'yours' in part ? part.yours : JSON.stringify(part))).join(''),
)
const quickstart = renderQuickstart({ name: '/docs', language, languages: [language], words }).body.html

test('one variable holds the key in every sample', () => {
  const named = [...samples, quickstart].flatMap((text) => text.match(/\b[A-Z]+_API_KEY\b/g) ?? [])
  expect(new Set(named)).toEqual(new Set(['HELIX_API_KEY']))
  expect(samples.some((text) => text.includes('export HELIX_API_KEY="hx_live_1"'))).toBe(true)
})

test('exporting what the samples say does not change how helix runs in the same shell', () => {
  const known = Object.keys(settings).map((name) => `HELIX_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`)
  const exported = [...samples, quickstart].flatMap((text) =>
    [...text.matchAll(/export (HELIX_\w+)/g)].map(([, name]) => name),
  )
  expect(exported.filter((name) => name !== undefined && !known.includes(name))).toEqual([])
})
