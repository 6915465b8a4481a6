import { contentLimitBytes } from '../../../../src/store/playground-contract.ts'
import type { PageCredentials, Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { isBlank, readContent, writeDraft } from './draft-content.ts'
import { emptyState, type PlaygroundStore } from './playground-store.ts'
import type { AnswerRunner } from './run-answer.ts'

/** `shortened`: saved, but without its oldest versions. */
export type DraftState = 'loading' | 'ready' | 'shortened' | 'failed' | 'too_large'

const settledMs = 600
const retryMs = 5000
/** Browsers finish smaller requests although their page is closed. A character may take three bytes. */
const keptAliveCharacters = 18_000

type DraftSyncParts = {
  store: PlaygroundStore
  answers: AnswerRunner
  platform: Platform
  credentials: PageCredentials
}

/**
 * Keeps the playground and the draft on the server the same. What is written is saved when the writing pauses, and when
 * the page is hidden. Of two tabs the last writer wins: a tab that is shown again, and has nothing unsaved, takes over
 * what the other has saved. One sync serves the document; it restarts for another organisation.
 */
export class DraftSync {
  readonly #store: PlaygroundStore
  readonly #answers: AnswerRunner
  readonly #platform: Platform
  readonly #credentials: PageCredentials
  readonly #listeners = new Set<() => void>()
  #organisation: string | null = null
  #state: DraftState = 'loading'
  /** Before it is known what was saved, nothing is saved over it. */
  #isLoaded = false
  #version = 0
  #savedText = ''
  /** What is on its way. A page that is left does not send it twice: there is only so much that browsers finish. */
  #sentText: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | null = null

  constructor({ store, answers, platform, credentials }: DraftSyncParts) {
    this.#store = store
    this.#answers = answers
    this.#platform = platform
    this.#credentials = credentials
  }

  readonly read = (): DraftState => this.#state

  /** Returns what ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  isOf(organisationId: string): boolean {
    return this.#organisation === organisationId
  }

  /** Resolves once the draft of this organisation is shown; at once if it already is. */
  async start(organisationId: string): Promise<void> {
    if (this.#organisation === organisationId) return
    const isFirst = this.#organisation === null
    this.#organisation = organisationId
    if (isFirst) this.#watch()
    else {
      this.#answers.stop()
      this.#store.change(emptyState)
    }
    this.#isLoaded = false
    this.#become('loading')
    await this.#takeOver()
  }

  /** Saves what is not yet saved. False if that failed. */
  async flush(): Promise<boolean> {
    await this.#save()
    return !this.#isUnsaved()
  }

  /** Nothing is saved, and nothing asked, from now on. */
  forget(): void {
    this.#isLoaded = false
  }

  /** What belongs to an organisation that was left was given up. */
  #isUnsaved(): boolean {
    const isOwn = this.#organisation === this.#credentials.organisationId
    return this.#isLoaded && isOwn && this.#now().text !== this.#savedText
  }

  #become(next: DraftState): void {
    if (this.#state === next) return
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  #now(): { text: string; leftOut: number } {
    return writeDraft(this.#store.read(), contentLimitBytes)
  }

  async #takeOver(): Promise<void> {
    const asked = this.#organisation
    try {
      const draft = await this.#platform.showDraft()
      if (this.#organisation !== asked) return
      const content = draft.content === null ? null : readContent(draft.content)
      // Something may have been typed while it was loading.
      const isTyping = !isBlank(this.#store.read())
      this.#version = draft.version
      if (content !== null && !isTyping) this.#store.change({ ...content, errors: {} })
      this.#savedText = isTyping ? '' : this.#now().text
      this.#isLoaded = true
      this.#become('ready')
      this.#schedule()
    } catch (error) {
      if (this.#organisation !== asked) return
      this.#become('failed')
      // Viewers cannot use the playground and have no draft.
      if (error instanceof PlatformError && error.status === 403) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#takeOver(), retryMs)
    }
  }

  #watch(): void {
    this.#store.subscribe(() => {
      if (this.#isLoaded) this.#schedule()
    })
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) void this.#save()
      else if (this.#isLoaded && this.#store.read().runningId === null) void this.#refresh()
    })
    addEventListener('pagehide', () => void this.#save(true))
    // What cannot be saved, or not while the page is closing, would be lost.
    addEventListener('beforeunload', (event) => {
      if (!this.#isUnsaved() || (this.#state === 'ready' && this.#now().text.length < keptAliveCharacters)) return
      event.preventDefault()
    })
  }

  #schedule(ms = settledMs): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#save(), ms)
  }

  /** One save at a time, so that an older text never arrives after a newer one. A page that is left would not live to send it. */
  async #save(isLeaving = false): Promise<void> {
    if (!this.#isLoaded) return
    clearTimeout(this.#timer)
    if (!isLeaving) while (this.#saving !== null) await this.#saving
    const { text, leftOut } = this.#now()
    // A draft never goes to another organisation than the one in which it was written.
    if (!this.#isLoaded || text === (this.#sentText ?? this.#savedText)) return
    if (this.#organisation !== this.#credentials.organisationId) return
    this.#sentText = text
    const saving = this.#send(text, leftOut > 0)
    this.#saving = saving
    await saving
    // A page that is left, and may come back, has begun another one meanwhile.
    if (this.#saving !== saving) return
    this.#saving = null
    this.#sentText = null
  }

  async #send(text: string, isShortened: boolean): Promise<void> {
    const asked = this.#organisation
    try {
      const answer = await this.#platform.saveDraft({ body: { content: text }, keepalive: true })
      if (this.#organisation !== asked) return
      this.#version = answer.version
      this.#savedText = text
      this.#become(isShortened ? 'shortened' : 'ready')
    } catch (error) {
      if (this.#organisation !== asked) return
      const isTooLarge = error instanceof PlatformError && (error.status === 413 || error.param === 'content')
      this.#become(isTooLarge ? 'too_large' : 'failed')
      if (!isTooLarge) this.#schedule(retryMs)
    }
  }

  /** Another tab may have saved since. */
  async #refresh(): Promise<void> {
    const asked = this.#organisation
    try {
      const draft = await this.#platform.showDraft()
      const content = draft.content === null ? null : readContent(draft.content)
      if (this.#organisation !== asked || draft.version <= this.#version || content === null) return
      if (this.#now().text !== this.#savedText) return
      this.#version = draft.version
      this.#store.change({ ...content, errors: {} })
      this.#savedText = this.#now().text
    } catch {
      // It is asked again when the page is shown the next time.
    }
  }
}
