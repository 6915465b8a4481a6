import type { AuthWords } from '../../../../languages/words.ts'

export type FieldName = 'email' | 'password' | 'code'

export const findInput = (form: HTMLFormElement, field: FieldName): HTMLInputElement | null =>
  form.querySelector<HTMLInputElement>(`input[name="${field}"]`)

/** What is wrong with a field and what to do; null when it is fine. */
export const sayField = (form: HTMLFormElement, field: FieldName, wrong: string | null): void => {
  const input = findInput(form, field)
  const said = form.querySelector<HTMLElement>(`[data-field="${field}"] [aria-live]`)
  if (input === null || said === null) return
  if (wrong === null) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
  said.className = wrong === null ? 'help' : 'error-text'
  said.textContent = wrong ?? said.dataset.help ?? ''
}

/** The show button and, for a new password, its length: approval may appear while typing, errors may not. */
export const startPasswordField = (form: HTMLFormElement, isNew: boolean, words: AuthWords): void => {
  const input = findInput(form, 'password')
  const eye = form.querySelector<HTMLButtonElement>('[data-eye]')
  if (input === null) return
  eye?.addEventListener('click', () => {
    const isShown = input.type === 'password'
    input.type = isShown ? 'text' : 'password'
    eye.setAttribute('aria-pressed', String(isShown))
    eye.setAttribute('aria-label', isShown ? words.hidePassword : words.showPassword)
  })
  input.addEventListener('input', () => {
    const said = form.querySelector<HTMLElement>('[data-field="password"] [aria-live]')
    if (said === null) return
    const count = [...input.value].length
    input.removeAttribute('aria-invalid')
    said.className = isNew && count >= least ? 'good' : 'help'
    if (!isNew || count === 0) said.textContent = said.dataset.help ?? ''
    else said.textContent = count >= least ? words.length(count) : words.more(least - count)
  })
}

const least = 10
