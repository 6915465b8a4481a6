import type { Draft } from '../../../../src/platform/contract/prompts.ts'
import { platformGet, platformPostToTheEnd, shownOrganisationId } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { isBlank, readContent, writeContent } from './draft-content.ts'
import { changePlayground, emptyState, readPlayground, subscribePlayground } from './playground-store.ts'
import { stopAnswer } from './run-answer.ts'

export type DraftState = 'loading' | 'ready' | 'failed' | 'too_large'

const settledMs = 600
const retryMs = 5000

/**
 * Keeps the playground and the draft on the server the same. What is written is saved when the writing pauses, and when
 * the page is hidden. Of two tabs the last writer wins: a tab that is shown again, and has nothing unsaved, takes over
 * what the other has saved. One sync serves the document; it restarts for another organisation.
 */
let organisation: string | null = null
let state: DraftState = 'loading'
/** Before it is known what was saved, nothing is saved over it. */
let isLoaded = false
let version = 0
let savedText = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export const readDraftState = (): DraftState => state

export const isDraftOf = (organisationId: string): boolean => organisation === organisationId

export const subscribeDraftState = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const become = (next: DraftState): void => {
  if (state === next) return
  state = next
  for (const listener of listeners) listener()
}

const textNow = (): string => writeContent(readPlayground())

/** Resolves once the draft of this organisation is shown; at once if it already is. */
export const startDraftSync = async (organisationId: string): Promise<void> => {
  if (organisation === organisationId) return
  const isFirst = organisation === null
  organisation = organisationId
  if (isFirst) watch()
  else {
    stopAnswer()
    changePlayground(emptyState)
  }
  isLoaded = false
  become('loading')
  await takeOver()
}

const takeOver = async (): Promise<void> => {
  const asked = organisation
  try {
    const draft = await platformGet<Draft>('/playground/draft')
    if (organisation !== asked) return
    const content = draft.content === null ? null : readContent(draft.content)
    // Something may have been typed while it was loading.
    const isTyping = !isBlank(readPlayground())
    version = draft.version
    if (content !== null && !isTyping) changePlayground({ ...content, errors: {} })
    savedText = isTyping ? '' : textNow()
    isLoaded = true
    become('ready')
    schedule()
  } catch (error) {
    if (organisation !== asked) return
    become('failed')
    // Viewers cannot use the playground and have no draft.
    if (error instanceof PlatformError && error.status === 403) return
    clearTimeout(timer)
    timer = setTimeout(() => void takeOver(), retryMs)
  }
}

const watch = (): void => {
  subscribePlayground(() => {
    if (isLoaded) schedule()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void save()
    else if (isLoaded && readPlayground().runningId === null) void refresh()
  })
  addEventListener('pagehide', () => void save())
}

const schedule = (ms = settledMs): void => {
  clearTimeout(timer)
  timer = setTimeout(() => void save(), ms)
}

let saving: Promise<void> | null = null

/** One save at a time, so that an older text never arrives after a newer one. */
const save = async (): Promise<void> => {
  if (!isLoaded) return
  clearTimeout(timer)
  await saving
  const text = textNow()
  // A draft never goes to another organisation than the one in which it was written.
  if (!isLoaded || text === savedText || organisation !== shownOrganisationId()) return
  saving = send(text)
  await saving
  saving = null
}

const send = async (text: string): Promise<void> => {
  const asked = organisation
  try {
    const answer = await platformPostToTheEnd<{ version: number }>('/playground/draft', { content: text })
    if (organisation !== asked) return
    version = answer.version
    savedText = text
    become('ready')
  } catch (error) {
    if (organisation !== asked) return
    const isTooLarge = error instanceof PlatformError && (error.status === 413 || error.param === 'content')
    become(isTooLarge ? 'too_large' : 'failed')
    if (!isTooLarge) schedule(retryMs)
  }
}

/** Another tab may have saved since. */
const refresh = async (): Promise<void> => {
  const asked = organisation
  try {
    const draft = await platformGet<Draft>('/playground/draft')
    const content = draft.content === null ? null : readContent(draft.content)
    if (organisation !== asked || draft.version <= version || content === null || textNow() !== savedText) return
    version = draft.version
    changePlayground({ ...content, errors: {} })
    savedText = textNow()
  } catch {
    // It is asked again when the page is shown the next time.
  }
}
