/** Shows one view of the page and focuses its heading. */
export const showView = (name: string): void => {
  for (const view of document.querySelectorAll<HTMLElement>('[data-view]')) view.hidden = view.dataset.view !== name
  document.querySelector<HTMLElement>(`[data-view="${name}"] h1`)?.focus()
}

/** Changes the heading of a view. */
export const setViewTitle = (name: string, text: string): void => {
  const place = document.querySelector(`[data-view="${name}"] h1`)
  if (place !== null) place.textContent = text
}

/** Changes the text below the heading of a view. */
export const setViewText = (name: string, text: string): void => {
  const place = document.querySelector(`[data-view="${name}"] .subtitle`)
  if (place !== null) place.textContent = text
}
