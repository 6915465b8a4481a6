const shownMs = 2000

/** Copies the page as Markdown. Where the clipboard is not available, the text is opened instead. */
export const startCopyPage = (): void => {
  const button = document.querySelector<HTMLButtonElement>('[data-copy-page]')
  const word = button?.querySelector('span')
  const address = button?.dataset.copyPage
  if (!button || !word || address === undefined) return
  const usual = word.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      const response = await fetch(address)
      if (!response.ok) throw new Error(`status ${response.status}`)
      await navigator.clipboard.writeText(await response.text())
    } catch {
      location.assign(address)
      return
    }
    word.textContent = button.dataset.copied ?? ''
    setTimeout(() => {
      word.textContent = usual
    }, shownMs)
  })
}
