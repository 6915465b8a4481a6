import { useContext, useEffect, useRef, useState } from 'react'
import { loadMarkdown } from '../../answer/answer-text.tsx'
import { AppStateContext } from '../../app-state.ts'
import type { Turn } from './turns.ts'
import { usePlayground } from './use-playground.ts'

/** What may be the start of a formula. */
const formula = /\$|\\[([]/

/**
 * Whether the conversation that the draft had can be shown as it stays: with the scripts that format its answers. Nothing that is shown
 * already, and no new answer, waits for them.
 */
export const useAnswersReady = (isLoaded: boolean): boolean => {
  const app = useContext(AppStateContext)
  const { turns, runningId } = usePlayground()
  const wasShown = useRef(false)
  const [areLoaded, setLoaded] = useState(false)
  const waits = isLoaded && !wasShown.current && !areLoaded && runningId === null && turns.some(isAnswer)
  useEffect(() => {
    if (isLoaded && !waits) wasShown.current = true
    if (!waits) return
    let isCurrent = true
    const hasFormula = turns.some((turn) => isAnswer(turn) && formula.test(turn.text))
    const loadFormulas = async (): Promise<void> => {
      const { typesetMath } = await import('../../markdown/typeset-math.ts')
      if (app !== null) app.typesetMath = typesetMath
    }
    const loads: Promise<unknown>[] = [loadMarkdown(), ...(hasFormula ? [loadFormulas()] : [])]
    void Promise.allSettled(loads).then(() => isCurrent && setLoaded(true))
    return () => {
      isCurrent = false
    }
  }, [isLoaded, waits, turns, app])
  return !waits
}

const isAnswer = (turn: Turn): boolean => turn.kind === 'answer'
