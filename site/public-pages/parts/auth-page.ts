import { Languages } from 'lucide-react'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { band } from './band.ts'
import { icon } from './icon.ts'
import { languageLinks } from './language-links.ts'
import { brand } from './mark.ts'

type AuthPage = {
  /** Which behaviour the script gives it. */
  auth: 'sign-up' | 'sign-in' | 'claim' | 'reset' | 'verify' | 'invitation' | 'callback'
  title: string
  /** For search engines, where the page is one to be found. */
  description?: string
  /** One of them is shown at a time, initially the first. */
  views: readonly { name: string; title: string; text: string; content: Html }[]
  foot: Html
}

/** A page with one thing to do, without navigation. */
export const authPage = (context: PageContext, page: AuthPage): Page => ({
  title: `${page.title} · Helix`,
  description: page.description ?? null,
  script: 'auth',
  body: html`<div class="auth-page" data-auth-page="${page.auth}">
<header>${brand()}<span class="switch-language">${icon(Languages, 16)}${languageLinks(context)}</span></header>
${band()}
<main id="page">${page.views.map(({ name, title, text, content }, index) => html`<section data-view="${name}"${index === 0 ? null : html` hidden`}><h1 tabindex="-1">${title}</h1><p class="subtitle">${text}</p>${content}</section>`)}
<noscript><p class="error-notice">${context.words.frame.noScript}</p></noscript></main>
<footer>${page.foot}</footer>
</div>`,
})
