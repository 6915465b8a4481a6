import { useWords } from '../../words-context.tsx'
import { usePlayground } from './use-playground.ts'

/** What of the request that was opened is not sent from here; until it was sent without. */
export const LeftOutNote = () => {
  const { compare, playground } = useWords()
  const { leftOut } = usePlayground()
  if (leftOut.length === 0) return null
  return (
    <p className="left-out-note small secondary" role="status">
      {playground.leftOut}{' '}
      <span className="mono" translate="no">
        {leftOut.join(compare.listMark)}
      </span>
    </p>
  )
}
