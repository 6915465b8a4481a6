import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Fetch } from '../platform/platform.ts'
import type { NewKey } from '../platform/types.ts'
import { pageLanguage } from '../words/languages.ts'
import { AppStateContext, createAppState } from './app-state.ts'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { Toasts } from './components/toasts.tsx'
import { leaveWhenSignedOut } from './leave-when-signed-out.ts'
import { PageError } from './page-error.tsx'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { createSpokenWords } from './spoken-words.ts'
import { WordsProvider } from './words-context.tsx'

type FirstSight = {
  /** What was asked already is answered without asking again. */
  fetchUrl: Fetch
  /** Once the document's own sentence is painted. */
  shown: Promise<void>
}

/** The app does not wait longer for the sentence that it draws itself. */
const sightWaitMs = 120

/**
 * Renders the app into this document. The sign-up page calls it too, with the new key: the page becomes the app
 * without a new document, so the key never has to be stored.
 */
export const startApp = async (newKey: NewKey | null, first?: FirstSight): Promise<void> => {
  // The script of the console's own documents does it before.
  if (first === undefined) leaveWhenSignedOut()
  const app = createAppState(newKey, first?.fetchUrl)
  const spokenWords = await createSpokenWords(pageLanguage())
  const queryClient = createQueryClient(app.sessionEnd)
  const router = createAppRouter({ queryClient, platform: app.platform, spokenWords })
  // What the document shows stays until the page can be drawn whole.
  await router.load()
  await Promise.race([first?.shown, new Promise((resolve) => setTimeout(resolve, sightWaitMs))])
  const element = document.createElement('div')
  document.body.replaceChildren(element)
  const root = createRoot(element)
  const drawn = (
    <StrictMode>
      <AppStateContext value={app}>
        <WordsProvider spokenWords={spokenWords}>
          <ErrorBoundary fallback={() => <PageError />}>
            <QueryClientProvider client={queryClient}>
              <Toasts>
                <RouterProvider router={router} />
              </Toasts>
            </QueryClientProvider>
          </ErrorBoundary>
        </WordsProvider>
      </AppStateContext>
    </StrictMode>
  )
  flushSync(() => root.render(drawn))
}
