import { offlineError } from '../../../platform/platform-error.ts'

/** What a panel sends; null if a field has to be corrected first, which the reader is told. */
export type PrepareRequest = () => ((signal: AbortSignal) => Promise<Response>) | null

/** With the key that the reader types, which stays in the fields of the page, to the path in the panel. Null if the panel has none. */
export const prepareWithKey = (
  panel: HTMLElement,
  state: HTMLElement,
  readBody: () => unknown,
): PrepareRequest | null => {
  const path = panel.querySelector<HTMLInputElement>('[data-path]')
  const key = panel.querySelector<HTMLInputElement>('[data-own-key]')
  if (path === null) return null
  if (key !== null) shareKey(key)
  const refuse = (field: HTMLInputElement, fault = ''): null => {
    field.setAttribute('aria-invalid', 'true')
    field.focus()
    state.textContent = fault
    return null
  }
  return () => {
    path.removeAttribute('aria-invalid')
    key?.removeAttribute('aria-invalid')
    if (key !== null && !/^[!-~]+$/.test(key.value.trim())) return refuse(key, state.dataset.noKey)
    if (!/^\/v1\/[!-~]+$/.test(path.value.trim())) return refuse(path, state.dataset.noPath)
    const body = readBody()
    if (body === undefined) return null
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key.value.trim()}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    }
    const sent = {
      method: panel.dataset.tryIt ?? 'GET',
      headers,
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    }
    return async (signal) => {
      try {
        return await fetch(path.value.trim(), { ...sent, signal, credentials: 'omit' })
      } catch (error) {
        throw signal.aborted ? error : offlineError()
      }
    }
  }
}

/** Typed once, it is in all panels of the page. */
const shareKey = (key: HTMLInputElement): void => {
  key.addEventListener('input', () => {
    for (const other of document.querySelectorAll<HTMLInputElement>('[data-own-key]')) other.value = key.value
  })
}
