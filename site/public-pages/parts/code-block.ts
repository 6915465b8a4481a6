import { Copy } from 'lucide-react'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { colouredCode } from './coloured-code.ts'
import { icon } from './icon.ts'

/** `language` is that of its colours, if it has any. */
export type CodeSample = { id: string; name: string; code: Html; language?: string }

/** Code with tabs, if there are several versions, and a copy button. Without scripts all versions are shown. */
export const codeBlock = ({ words: { frame } }: PageContext, samples: readonly CodeSample[], label: string): Html => {
  const isOne = samples.length === 1
  const names = samples.map(({ id, name }, index) =>
    isOne
      ? html`<span class="name">${name}</span>`
      : html`<button type="button" role="tab" data-tab="${id}" aria-selected="${index === 0 ? 'true' : 'false'}">${name}</button>`,
  )
  const panels = samples.map(
    ({ id, code, name, language }, index) =>
      html`<pre tabindex="0" translate="no" data-panel="${id}" aria-label="${name}" role="${isOne ? 'group' : 'tabpanel'}"${index > 0 ? { html: ' hidden' } : null}>${language === undefined ? code : colouredCode(language, code)}</pre>`,
  )
  return html`<div class="code" data-code>
<div class="bar"><div class="tabs"${isOne ? null : { html: ' role="tablist"' }} aria-label="${label}">${names}</div><button type="button" class="button plain" data-copy data-copied="${frame.copied}">${icon(Copy, 15)}<span aria-live="polite">${frame.copy}</span></button></div>
${panels}
</div>`
}
