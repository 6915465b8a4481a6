import { expect, test } from 'vitest'
import { language } from '../../languages/ja/language.ts'
import { toJapanese } from '../../languages/ja/public-pages/to-japanese.ts'
import { apiTranslations } from '../../languages/ja/public-pages/translations/api.ts'
import { behaviourTranslations } from '../../languages/ja/public-pages/translations/behaviours.ts'
import { compatibilityTranslations, sameInBoth } from '../../languages/ja/public-pages/translations/compatibility.ts'
import { fieldTranslations } from '../../languages/ja/public-pages/translations/fields.ts'
import { words } from '../../languages/ja/public-pages.ts'
import { renderAgents } from '../../site/public-pages/documents/agents.ts'
import { renderApi } from '../../site/public-pages/documents/api.ts'
import { renderApiGroup } from '../../site/public-pages/documents/api-group.ts'
import { renderCompatibility } from '../../site/public-pages/documents/compatibility.ts'
import { renderEmbeddings } from '../../site/public-pages/documents/embeddings.ts'
import { renderErrors } from '../../site/public-pages/documents/errors.ts'
import { renderLimits } from '../../site/public-pages/documents/limits.ts'
import { renderReasoning } from '../../site/public-pages/documents/reasoning.ts'
import { renderRetries } from '../../site/public-pages/documents/retries.ts'
import { renderStreaming } from '../../site/public-pages/documents/streaming.ts'
import { renderStructuredOutput } from '../../site/public-pages/documents/structured-output.ts'
import { renderTools } from '../../site/public-pages/documents/tools.ts'
import { html } from '../../site/public-pages/html.ts'
import { languages } from '../../src/languages/languages.ts'
import { apiPages } from '../../src/site-server/pages.ts'

/** Rendering throws where a text of the server's tables has no translation. */
const context = { language, languages, words }
const api = [
  renderApi({ ...context, name: '/docs/api' }),
  ...apiPages.map((name) => renderApiGroup(name)({ ...context, name })),
]
  .map(({ body }) => body.html)
  .join('')
const errors = renderErrors({ ...context, name: '/docs/errors' }).body.html
const limits = renderLimits({ ...context, name: '/docs/limits' }).body.html
const retries = renderRetries({ ...context, name: '/docs/retries' }).body.html
const guides = [renderStreaming, renderTools, renderStructuredOutput, renderReasoning, renderEmbeddings, renderAgents]
  .map((render) => render({ ...context, name: '/docs' }).body.html)
  .join('')
const compatibility = renderCompatibility({ ...context, name: '/docs/compatibility' }).body.html

/** What is read as words: without code, types, and what says that it is English. */
const wordsOf = (page: string): string =>
  page
    .replace(/<(pre|code|button|svg)\b[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<span class="type">.*?<\/span>/gs, ' ')
    .replace(/<td lang="en">.*?<\/td>/gs, ' ')
    .replace(/<[^>]+>/g, '\n')

test.each([
  ['API reference', api],
  ['errors', errors],
  ['limits', limits],
  ['retries', retries],
  ['guides', guides],
  ['compatibility', compatibility],
])('the Japanese page (%s) has no English sentence left', (_, page) => {
  const lines = wordsOf(page).split('\n')
  const known: readonly string[] = sameInBoth.map((text) => html`${text}`.html)
  expect(lines.filter((line) => /[a-z]+ [a-z]+ [a-z]+/i.test(line) && !known.includes(line))).toEqual([])
})

/** Names may be set as code instead of between marks. */
const asRead = (page: string): string => page.replace(/<\/?(?:code|i)\b[^>]*>|[`"]|&(?:quot|#34);/g, '')

test.each([
  ['API reference', api, [...Object.values(apiTranslations), ...Object.values(fieldTranslations)]],
  ['compatibility', compatibility, [...Object.values(compatibilityTranslations), ...sameInBoth]],
  ['behaviours', compatibility, Object.values(behaviourTranslations)],
])('every translation (%s) is shown, so none is of a text that is gone', (_, page, texts) => {
  const shown = asRead(page)
  expect(texts.filter((text) => !shown.includes(asRead(html`${text}`.html)))).toEqual([])
})

test('a text without a translation fails the build', () => {
  expect(() => toJapanese('A text that nobody translated.')).toThrow('no Japanese for "A text that nobody translated."')
})
