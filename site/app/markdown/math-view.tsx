import { useContext, useEffect, useMemo, useState } from 'react'
import { AppStateContext } from '../app-state.ts'
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
  return set ?? <code translate="no">{text}</code>
}
