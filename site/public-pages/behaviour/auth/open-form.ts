import type { AuthWords } from '../../../../languages/words.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { clearError, showError } from './form-error.ts'
import { type FieldName, findInput, sayField, startPasswordField } from './form-fields.ts'

type Values = Record<FieldName, string>
type Says = Readonly<Record<string, string>>

/** Codes of errors that belong to one field. */
const fieldOfCode: Record<string, FieldName> = {
  invalid_email: 'email',
  email_taken: 'email',
  weak_password: 'password',
  wrong_code: 'code',
}

const fields = ['email', 'password', 'code'] as const

/**
 * Connects a form to what it sends. Fields are checked on leaving them and on submit, never while typing.
 * `says` has words of this form's own for some codes.
 */
export const openForm = (
  name: string,
  words: AuthWords,
  send: (values: Values) => Promise<void>,
  says: Says = {},
): void => {
  const form = document.querySelector<HTMLFormElement>(`[data-form="${name}"]`)
  if (form === null) return
  const isNew = findInput(form, 'password')?.autocomplete === 'new-password'
  startPasswordField(form, isNew, words)
  const check = (field: FieldName): boolean => {
    const wrong = findProblem(form, field, isNew, words)
    if (wrong !== null || field !== 'password') sayField(form, field, wrong)
    return wrong === null
  }
  for (const field of fields)
    findInput(form, field)?.addEventListener('blur', (event) => {
      const hasText = event.target instanceof HTMLInputElement && event.target.value !== ''
      // Moving on to the button checks everything there.
      const isSent = event.relatedTarget instanceof HTMLButtonElement && event.relatedTarget.type === 'submit'
      if (hasText && !isSent && (field === 'email' || isNew)) check(field)
    })
  let isSending = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isSending) return
    clearError(form)
    const wrong = fields.filter((field) => findInput(form, field) !== null && !check(field))
    if (wrong[0] !== undefined) return findInput(form, wrong[0])?.focus()
    isSending = true
    const release = holdButton(form, words.sending)
    try {
      await send({
        email: findInput(form, 'email')?.value.trim() ?? '',
        password: findInput(form, 'password')?.value ?? '',
        code: findInput(form, 'code')?.value.trim() ?? '',
      })
    } catch (error) {
      tell(form, error, says[errorCode(error)] ?? errorText(error, words.errors))
    } finally {
      isSending = false
      release()
    }
  })
}

const findProblem = (form: HTMLFormElement, field: FieldName, isNew: boolean, words: AuthWords): string | null => {
  const value = findInput(form, field)?.value ?? ''
  if (field === 'email') {
    if (value.trim() === '') return words.emailNeeded
    return /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : words.errors.invalid_email
  }
  if (field === 'code') return value.trim() === '' ? words.codeNeeded : null
  if (value === '') return words.passwordNeeded
  if (!isNew) return null
  if ([...value].length < 10) return words.errors.weak_too_short
  return value === findInput(form, 'email')?.value.trim() ? words.errors.weak_same_as_email : null
}

const errorCode = (error: unknown): string => (error instanceof PlatformError ? error.code : '')

const tell = (form: HTMLFormElement, error: unknown, text: string): void => {
  const field = fieldOfCode[errorCode(error)]
  const input = field === undefined ? null : findInput(form, field)
  if (field === undefined || input === null) showError(form, text, error)
  else sayField(form, field, text)
  input?.focus()
}

/** The button keeps its place and size while a request is pending. */
const holdButton = (form: HTMLFormElement, text: string): (() => void) => {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]')
  if (button === null) return () => {}
  const usual = button.textContent
  button.setAttribute('aria-disabled', 'true')
  button.textContent = text
  return () => {
    button.removeAttribute('aria-disabled')
    button.textContent = usual
  }
}
