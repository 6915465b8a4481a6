import { createContext, useContext } from 'react'
import {
  createPageCredentials,
  createPlatform,
  type Fetch,
  type PageCredentials,
  type Platform,
} from '../platform/platform.ts'
import type { NewKey } from '../platform/types.ts'
import type { Highlight } from './markdown/code-runs.ts'
import type { TypesetMath } from './markdown/typeset-math.ts'
import type { Playground } from './pages/playground/playground.ts'
import { createSessionEnd, type SessionEnd } from './session-end.ts'
import type { SignedInSession } from './signed-in-session.ts'

/** What lasts as long as the document. It is kept in memory only: no module has state of its own. */
export type AppState = {
  /** What the document sends with its calls of the platform. */
  readonly credentials: PageCredentials
  readonly platform: Platform
  readonly sessionEnd: SessionEnd
  /**
   * The key that sign-up created, on its way to the welcome page, which forgets it when it is left. It is never in a URL, in
   * storage or in the history. Null after a reload, or when the page is opened by its URL.
   */
  firstKey: NewKey | null
  /** What pages show after the session has ended. */
  lastSignedIn: SignedInSession | null
  /** Null until it is loaded: most visits show no code. */
  highlight: Highlight | null
  /** Null until it is loaded: most answers have no formulas. */
  typesetMath: TypesetMath | null
  /** Null until one of its pages is opened, which load its script. */
  playground: Playground | null
}

export const createAppState = (firstKey: NewKey | null, fetchUrl?: Fetch): AppState => {
  const credentials = createPageCredentials()
  return {
    credentials,
    platform: createPlatform(credentials, fetchUrl),
    sessionEnd: createSessionEnd(),
    firstKey,
    lastSignedIn: null,
    highlight: null,
    typesetMath: null,
    playground: null,
  }
}

export const AppStateContext = createContext<AppState | null>(null)

export const useAppState = (): AppState => {
  const state = useContext(AppStateContext)
  if (state === null) throw new Error('there is no app outside of AppStateContext')
  return state
}

export const usePlatform = (): Platform => useAppState().platform
