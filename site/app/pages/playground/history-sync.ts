import type { PageCredentials, Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { conversationText, conversationTitle, isConversation, markOf, writeConversation } from './history-content.ts'
import type { PlaygroundState, PlaygroundStore } from './playground-store.ts'

export type HistoryState = 'ready' | 'failed' | 'full'

const settledMs = 1000
const retryMs = 5000

/** More than anybody writes while a server is away. */
const maxUnsaved = 20

type Shown = { state: PlaygroundState; organisation: string | null }

type HistorySyncParts = { store: PlaygroundStore; platform: Platform; credentials: PageCredentials }

/**
 * Keeps every conversation that was answered in the history, beside the draft: when nothing changes for a moment, when another
 * content takes its place, and when the page is hidden. A tab that has not seen the last save makes a conversation of its own.
 */
export class HistorySync {
  readonly #store: PlaygroundStore
  readonly #platform: Platform
  readonly #credentials: PageCredentials
  readonly #listeners = new Set<() => void>()
  #state: HistoryState = 'ready'
  /** What is shown, if it belongs into the history, and of which organisation. */
  #shown: Shown | null = null
  /** What could not be saved and is no longer shown, oldest first. */
  #unsaved: Shown[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> = Promise.resolve()

  constructor({ store, platform, credentials }: HistorySyncParts) {
    this.#store = store
    this.#platform = platform
    this.#credentials = credentials
    store.subscribe(() => this.#follow())
    document.addEventListener('visibilitychange', () => document.hidden && void this.flush())
    addEventListener('pagehide', () => void this.flush())
    this.#follow()
  }

  readonly read = (): HistoryState => this.#state

  /** Returns what ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Saves what is not yet saved. False if that failed. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    for (const unsaved of this.#unsaved.splice(0)) this.#enqueue(unsaved)
    const shown = this.#shown
    if (shown !== null) this.#enqueue(shown)
    await this.#saving
    return this.#state !== 'failed'
  }

  #follow(): void {
    const now = this.#store.read()
    const before = this.#shown
    // What was shown has been replaced: it is saved as it was.
    if (before !== null && !isSame(before.state, now)) this.#enqueue(before)
    const isOther = before === null || !isSame(before.state, now)
    const organisation = isOther ? this.#credentials.organisationId : before.organisation
    this.#shown = isConversation(now) ? { state: now, organisation } : null
    clearTimeout(this.#timer)
    if (this.#shown !== null && now.runningId === null) this.#schedule(settledMs)
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), ms)
  }

  #become(next: HistoryState): void {
    if (this.#state === next) return
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  /** One after the other, so that an older text never arrives after a newer one. */
  #enqueue(shown: Shown): void {
    this.#saving = this.#saving.then(async () => {
      if (shown.organisation === this.#credentials.organisationId) await this.#save(shown)
      else this.#settle()
    })
  }

  /** Something needs no more saving: it is saved already, or it was given up together with its organisation. */
  #settle(): void {
    if (this.#state === 'failed' && this.#unsaved.length === 0) this.#become('ready')
  }

  async #save(shown: Shown): Promise<void> {
    const { state } = shown
    // The id may have come while this waited.
    const now = this.#store.read()
    const conversation = isSame(state, now) ? now.conversation : state.conversation
    const content = writeConversation(state)
    const mark = markOf(content)
    if (conversation?.mark === mark) {
      this.#settle()
      return
    }
    const searchText = conversationText(state)
    try {
      const title = conversationTitle(state.turns, state.model === '' ? '…' : state.model)
      const create = () => this.#platform.createConversation({ body: { title, content, searchText }, keepalive: true })
      const change = (id: string, version: number) =>
        this.#platform.changeConversation({
          params: { conversation: id },
          body: { saved: { content, searchText, version } },
          keepalive: true,
        })
      const saved =
        conversation === null
          ? await create()
          : await change(conversation.id, conversation.version).catch((error: unknown) => {
              if (error instanceof PlatformError && error.code === 'conversation_changed') return create()
              throw error
            })
      this.#become('ready')
      if (isSame(state, this.#store.read()))
        this.#store.change({ conversation: { id: saved.id, title: saved.title, version: saved.version, mark } })
    } catch (error) {
      this.#fail(error, shown)
    }
  }

  #fail(error: unknown, shown: Shown): void {
    const { state } = shown
    // An answer that was cut off, or that is not the server's, is none.
    if (!(error instanceof PlatformError)) {
      this.#retry(shown)
      return
    }
    const { code, status, param } = error
    // Deleted, in another tab perhaps: it is not brought back until something is added to it.
    if (status === 404) {
      if (isSame(state, this.#store.read())) this.#store.change({ conversation: null })
      return
    }
    if (code === 'history_full' || status === 413 || param === 'content') this.#become('full')
    else if (status !== 401 && status !== 403) this.#retry(shown)
  }

  #retry(shown: Shown): void {
    if (!isSame(shown.state, this.#store.read())) this.#unsaved = [...this.#unsaved, shown].slice(-maxUnsaved)
    this.#become('failed')
    this.#schedule(retryMs)
  }
}

/** Two states of one conversation, not of two. */
const isSame = (one: PlaygroundState, other: PlaygroundState): boolean => {
  if (one.conversation !== null && other.conversation !== null) return one.conversation.id === other.conversation.id
  return one.turns.length > 0 && other.turns.length > 0 && rootOf(one) === rootOf(other)
}

/** The place of the first turn: all its versions share it. */
const rootOf = ({ turns: [first] }: PlaygroundState): string | undefined => first?.versions?.place ?? first?.id
