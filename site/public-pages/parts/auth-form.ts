import { Eye, EyeOff, TriangleAlert } from 'lucide-react'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { icon } from './icon.ts'

type FormField = 'email' | 'password' | 'new-password' | 'code'

/** A form whose fields the script checks; its ids are unique by the name of the form. */
export const authForm = (context: PageContext, name: string, fields: readonly FormField[], button: string): Html => {
  const { auth } = context.words
  const inputs: Record<FormField, () => Html> = {
    email: () => html`<div class="field" data-field="email"><label for="${name}-email">${auth.email}</label>
<input class="input" id="${name}-email" name="email" type="email" inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required aria-describedby="${name}-email-said">
<p class="help" id="${name}-email-said" aria-live="polite"></p></div>`,
    code: () => html`<div class="field" data-field="code"><label for="${name}-code">${auth.code}</label>
<input class="input mono" id="${name}-code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="64" required aria-describedby="${name}-code-said">
<p class="help" id="${name}-code-said" aria-live="polite" data-help="${auth.codeHelp}">${auth.codeHelp}</p></div>`,
    password: () => password(name, 'current-password', auth.password, '', context),
    'new-password': () =>
      password(
        name,
        'new-password',
        name === 'reset-new' ? auth.newPassword : auth.password,
        auth.passwordHelp,
        context,
      ),
  }
  return html`<form method="post" novalidate data-form="${name}">
${fields.map((field) => inputs[field]())}
<div class="error-notice" role="alert" hidden data-error>${icon(TriangleAlert)}<div><p data-error-text></p><p class="id" data-error-id></p></div></div>
<button class="button primary big wide" type="submit">${button}</button>
</form>`
}

const password = (name: string, kind: string, label: string, help: string, { words: { auth } }: PageContext): Html =>
  html`<div class="field" data-field="password"><label for="${name}-password">${label}</label>
<div class="with-end"><input class="input" id="${name}-password" name="password" type="password" autocomplete="${kind}" maxlength="256" required aria-describedby="${name}-password-said">
<button class="button plain square" type="button" data-eye aria-pressed="false" aria-label="${auth.showPassword}">${icon(Eye)}${icon(EyeOff)}</button></div>
<p class="help" id="${name}-password-said" aria-live="polite" data-help="${help}">${help}</p></div>`
