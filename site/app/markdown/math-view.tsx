import { type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { AppStateContext } from '../app-state.ts'
import { useWords } from '../words-context.tsx'
import type { TypesetMath } from './typeset-math.ts'

/** A formula: as it was written until the typesetter has been loaded, and for good if it cannot be set. */
export const MathView = ({ text, isBlock }: { text: string; isBlock: boolean }) => {
  const app = useContext(AppStateContext)
  const [typeset, setTypeset] = useState<TypesetMath | null>(() => app?.typesetMath ?? null)
  useEffect(() => {
    if (typeset !== null) return
    let isShown = true
    void import('./typeset-math.ts').then(
      (module) => {
        if (app !== null) app.typesetMath = module.typesetMath
        if (isShown) setTypeset(() => module.typesetMath)
      },
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [typeset, app])
  const set = useMemo(() => typeset?.(text, isBlock) ?? null, [typeset, text, isBlock])
  if (set === null) return <code translate="no">{text}</code>
  return isBlock ? <BlockFormula>{set}</BlockFormula> : set
}

/** Scrolls by itself where it is wider than the answer; only then it can be reached by keys. */
const BlockFormula = ({ children }: { children: ReactNode }) => {
  const { answer } = useWords()
  const [scrolls, setScrolls] = useState(false)
  const ref = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another formula may be wider
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [children])
  const reached = scrolls ? { role: 'group', tabIndex: 0, 'aria-label': answer.formula } : {}
  return (
    <span ref={ref} className="block-formula" {...reached}>
      {children}
    </span>
  )
}
