import type { Words } from '../../../../languages/words.ts'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { useWords } from '../../words-context.tsx'
import { Fact } from './facts-list.tsx'

/** What went wrong, and where that is explained. */
export const ErrorFact = ({ error }: Pick<ShownRequest, 'error'>) => {
  const { requests } = useWords()
  if (error === null) return null
  return (
    <Fact name={requests.error}>
      <a href={`/docs/errors${error.status === null ? '' : `#status-${error.status}`}`}>
        {requests.errorDocs(error.code ?? error.name)}
      </a>
      {hasReason(error.name, requests.reasons) ? <span className="subtext">{requests.reasons[error.name]}</span> : null}
    </Fact>
  )
}

type Reasons = Words['requests']['reasons']
const hasReason = (name: string, reasons: Reasons): name is keyof Reasons => Object.hasOwn(reasons, name)
