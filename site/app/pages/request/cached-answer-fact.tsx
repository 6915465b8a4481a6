import { Link } from '@tanstack/react-router'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { useWords } from '../../words-context.tsx'
import { Fact } from './facts-list.tsx'

/** The request whose answer was sent again; nothing if the answer was generated. */
export const CachedAnswerFact = ({ cachedFrom }: Pick<ShownRequest, 'cachedFrom'>) => {
  const { requests } = useWords()
  if (cachedFrom === null) return null
  return (
    <Fact name={requests.cachedAnswer}>
      <Link className="mono" to="/requests/$request" params={{ request: cachedFrom }}>
        {cachedFrom}
      </Link>
      <span className="subtext">{requests.cachedAnswerText}</span>
    </Fact>
  )
}
