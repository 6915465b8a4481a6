import type { PageCredentials, Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { newConversation, withMark } from './conversation-marks.ts'
import { conversationText, conversationTitle, markOf, writeConversation } from './history-content.ts'
import type { Conversation } from './history-query.ts'
import { isSameConversation } from './is-same-conversation.ts'
import type { PlaygroundState, PlaygroundStore, SavedConversation } from './playground-store.ts'
import { isConversation } from './turns.ts'
import type { ConversationWatch, ShownConversation } from './watch-conversations.ts'

export type HistoryState = 'ready' | 'failed' | 'full'

const settledMs = 1000
const retryMs = 5000

/** More than anybody writes while a server is away. */
const maxUnsaved = 20

type HistorySyncParts = {
  store: PlaygroundStore
  platform: Platform
  credentials: PageCredentials
  /** Knows what was replaced before this script was loaded. */
  watch: ConversationWatch
  /** What was in the playground when it was asked for. */
  first: PlaygroundState
}

/** `wasSent`: before, so that the history may have had it. */
type Written = { title: string; content: string; searchText: string; wasSent: boolean }

/**
 * Keeps every conversation that was answered in the history, beside the draft: when nothing changes for a moment, when another
 * content takes its place, and when the page is hidden. A tab that has not seen the last save makes a conversation of its own, unless
 * the save was of what it has shown itself: a page that is reloaded does not hear of its last one.
 */
export class HistorySync {
  readonly #store: PlaygroundStore
  readonly #platform: Platform
  readonly #credentials: PageCredentials
  readonly #watch: ConversationWatch
  readonly #listeners = new Set<() => void>()
  #state: HistoryState = 'ready'
  /** What could not be saved and is no longer shown, oldest first. */
  #unsaved: ShownConversation[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> = Promise.resolve()
  /** The marks of what was shown and saved here. */
  readonly #ownMarks = new Set<string>()

  constructor({ store, platform, credentials, watch, first }: HistorySyncParts) {
    this.#store = store
    this.#platform = platform
    this.#credentials = credentials
    this.#watch = watch
    store.subscribe(() => this.#follow())
    document.addEventListener('visibilitychange', () => document.hidden && void this.flush())
    addEventListener('pagehide', () => void this.flush())
    this.#follow()
    if (isConversation(first)) this.#remember(first, markOf(writeConversation(first)))
  }

  readonly read = (): HistoryState => this.#state

  /** Returns what ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Saves what is not yet saved. False if that failed. */
  async flush(): Promise<boolean> {
    this.#follow()
    clearTimeout(this.#timer)
    for (const unsaved of this.#unsaved.splice(0)) this.#enqueue(unsaved)
    // As far as it came, also between two frames: the draft that is saved with it has that, too, and is known by it after a reload.
    const shown = this.#watch.shown()
    if (shown !== null) this.#enqueue(shown)
    await this.#saving
    return this.#state !== 'failed'
  }

  #follow(): void {
    for (const replaced of this.#watch.takeReplaced()) {
      this.#unsaved = this.#unsaved.filter(({ state }) => !isSameConversation(state, replaced.state))
      this.#enqueue(replaced)
    }
    clearTimeout(this.#timer)
    if (this.#watch.shown() !== null && this.#store.read().runningId === null) this.#schedule(settledMs)
  }

  /** In the draft, too: the page may be reloaded before it hears of a save, several times in a row. */
  #remember(state: PlaygroundState, mark: string): void {
    this.#ownMarks.add(mark)
    const { conversation } = this.#store.read()
    if (conversation === null || !isSameConversation(state, this.#store.read())) return
    const marked = withMark(conversation, mark)
    if (marked !== conversation) this.#store.change({ conversation: marked })
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
  #enqueue(shown: ShownConversation): void {
    this.#saving = this.#saving.then(async () => {
      if (shown.organisation === this.#credentials.organisationId) await this.#save(shown)
      else this.#settle()
    })
  }

  /** Something needs no more saving: it is saved already, or it was given up together with its organisation. */
  #settle(): void {
    if (this.#state === 'failed' && this.#unsaved.length === 0) this.#become('ready')
  }

  async #save(shown: ShownConversation): Promise<void> {
    const { state } = shown
    // The id may have come while this waited.
    const now = this.#store.read()
    const conversation = isSameConversation(state, now) ? now.conversation : state.conversation
    const content = writeConversation(state)
    const mark = markOf(content)
    if (conversation?.mark === mark) {
      this.#settle()
      return
    }
    const searchText = conversationText(state)
    const wasSent = conversation?.sent.includes(mark) ?? false
    this.#remember(state, mark)
    try {
      const title = conversationTitle(state.turns, state.model === '' ? '…' : state.model)
      const written = { title, content, searchText, wasSent }
      const saved = await this.#write(conversation ?? newConversation(), written)
      this.#become('ready')
      if (isSameConversation(state, this.#store.read()))
        this.#store.change({
          conversation: { id: saved.id, title: saved.title, version: saved.version, mark, sent: [mark] },
        })
    } catch (error) {
      this.#fail(error, shown)
    }
  }

  async #write(
    { id, version, ...marks }: SavedConversation,
    { title, wasSent, ...written }: Written,
  ): Promise<Conversation> {
    const create = (newId: string) =>
      this.#platform.createConversation({ body: { id: newId, title, ...written }, keepalive: true })
    const change = (basedOn: number) =>
      this.#platform.changeConversation({
        params: { conversation: id },
        body: { saved: { ...written, version: basedOn } },
        keepalive: true,
      })
    try {
      return version === 0 ? await create(id) : await change(version)
    } catch (error) {
      // Deleted, in another tab perhaps: something was added to it, which is kept as another conversation.
      if (isMissing(error) && !wasSent) return await create(newConversation().id)
      if (!(error instanceof PlatformError && error.code === 'conversation_changed')) throw error
      const found = await this.#platform
        .showConversation({ params: { conversation: id } })
        .catch((missing: unknown) => {
          if (isMissing(missing)) return null
          throw missing
        })
      const mark = found === null ? '' : markOf(found.content)
      const isOwn = mark === marks.mark || marks.sent.includes(mark) || this.#ownMarks.has(mark)
      return found !== null && isOwn ? await change(found.conversation.version) : await create(newConversation().id)
    }
  }

  #fail(error: unknown, shown: ShownConversation): void {
    const { state } = shown
    // An answer that was cut off, or that is not the server's, is none.
    if (!(error instanceof PlatformError)) {
      this.#retry(shown)
      return
    }
    const { code, status, param } = error
    // Deleted just as it was: it is not brought back until something is added to it.
    if (status === 404) {
      const mark = markOf(writeConversation(state))
      if (isSameConversation(state, this.#store.read())) this.#store.change({ conversation: newConversation(mark) })
      return
    }
    if (code === 'history_full' || status === 413 || param === 'content') this.#become('full')
    else if (status !== 401 && status !== 403) this.#retry(shown)
  }

  #retry(shown: ShownConversation): void {
    if (!isSameConversation(shown.state, this.#store.read()))
      this.#unsaved = [...this.#unsaved, shown].slice(-maxUnsaved)
    this.#become('failed')
    this.#schedule(retryMs)
  }
}

const isMissing = (error: unknown): boolean => error instanceof PlatformError && error.status === 404
