import { useContext, useEffect, useMemo, useState } from 'react'
import { AppStateContext } from '../app-state.ts'
import type { CodeRun, Highlight } from './code-runs.ts'
import { highlightedEnd } from './highlighted-end.ts'

/** Code with its looks: as plain text until the highlighter has been loaded, and for good if it cannot be. */
export const useHighlight = (language: string, code: string, isGrowing: boolean): readonly CodeRun[] => {
  const app = useContext(AppStateContext)
  const [highlight, setHighlight] = useState<Highlight | null>(() => app?.highlight ?? null)
  useEffect(() => {
    if (language === '' || highlight !== null) return
    let isShown = true
    void import('./highlighter.ts').then(
      (module) => {
        if (app !== null) app.highlight = module.highlight
        if (isShown) setHighlight(() => module.highlight)
      },
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [language, highlight, app])
  const end = highlightedEnd(code, isGrowing)
  const begun = code.slice(0, end)
  const runs = useMemo(
    (): readonly CodeRun[] => (highlight === null ? [{ look: 'plain', text: begun }] : highlight(language, begun)),
    [highlight, language, begun],
  )
  return end === code.length ? runs : [...runs, { look: 'plain', text: code.slice(end) }]
}
