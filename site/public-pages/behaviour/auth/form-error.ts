import { PlatformError } from '../../../platform/platform-error.ts'

/** Shows an error of the whole form above its button. */
export const showError = (form: HTMLFormElement, text: string, error: unknown): void => {
  const place = form.querySelector<HTMLElement>('[data-error]')
  const words = form.querySelector('[data-error-text]')
  const id = form.querySelector('[data-error-id]')
  if (place === null || words === null || id === null) return
  words.textContent = text
  // Only unexpected errors are worth a report, and only a report needs the id.
  id.textContent = error instanceof PlatformError && error.status >= 500 ? error.requestId : ''
  place.hidden = false
}

export const clearError = (form: HTMLFormElement): void => {
  const place = form.querySelector<HTMLElement>('[data-error]')
  if (place !== null) place.hidden = true
}
