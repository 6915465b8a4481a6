import type { DocsEntry } from '../../docs-entry.ts'
import { findEntries } from './find-entries.ts'
import { textElement } from './text-element.ts'

const maxExcerpt = 90

/** Shows the search. Its index is loaded when the field is used first. */
export const startDocsSearch = (): void => {
  const search = document.querySelector<HTMLElement>('[data-docs-search]')
  const input = search?.querySelector('input')
  const list = search?.querySelector('ol')
  const count = search?.querySelector<HTMLElement>('[data-count]')
  if (!search || !input || !list || !count) return
  search.hidden = false
  let loading: Promise<readonly DocsEntry[]> | null = null
  const load = (): Promise<readonly DocsEntry[]> => {
    loading ??= readIndex().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  const show = async (): Promise<void> => {
    const typed = input.value
    if (typed.trim() === '') return close()
    const found = await load().then(
      (entries) => findEntries(entries, typed),
      () => null,
    )
    // More may have been typed in the meantime.
    if (typed !== input.value) return
    list.replaceChildren(...(found ?? []).map(createItem))
    const words = found === null ? search.dataset.failed : search.dataset.none
    if (found === null || found.length === 0) list.append(textElement('li', words ?? ''))
    count.textContent = found === null || found.length === 0 ? (words ?? '') : `${count.dataset.count} ${found.length}`
    list.hidden = false
  }
  const close = (): void => {
    list.hidden = true
    count.textContent = ''
  }
  input.addEventListener('focus', () => void load().catch(() => {}))
  input.addEventListener('input', () => void show())
  search.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      close()
      input.focus()
    }
    if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click()
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, input, list)
  })
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !search.contains(relatedTarget)) close()
  })
  list.addEventListener('click', close)
  // Text that is clicked takes no focus.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !search.contains(target)) close()
  })
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    input.focus()
  })
}

const readIndex = async (): Promise<readonly DocsEntry[]> => {
  const response = await fetch(document.body.dataset.docsIndex ?? '')
  if (!response.ok) throw new Error(`status ${response.status}`)
  return asEntries(await response.json())
}

/** Written by the same build as this script. */
const asEntries = (value: unknown): readonly DocsEntry[] => value as readonly DocsEntry[]

const createItem = ({ id, heading, page, text }: DocsEntry): HTMLElement => {
  const link = document.createElement('a')
  link.href = id
  link.append(
    textElement('b', heading),
    textElement('span', ` ${page}`, 'muted'),
    textElement('span', shorten(text), 'found-text'),
  )
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** The beginning, up to the end of a word where there are spaces. */
const shorten = (text: string): string =>
  text.length <= maxExcerpt ? text : `${text.slice(0, maxExcerpt).replace(/\s\S{0,20}$/, '')}…`

const moveFocus = (event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void => {
  const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')]
  const at = document.activeElement instanceof HTMLElement ? stops.indexOf(document.activeElement) : 0
  event.preventDefault()
  stops.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % stops.length)?.focus()
}
