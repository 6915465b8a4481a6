import { TriangleAlert } from 'lucide-react'
import type { UpstreamCheckShown } from '../../../../src/platform/contract/upstreams.ts'
import { useWords } from '../../admin-words-context.tsx'

type FailedTestProps = {
  problem: NonNullable<UpstreamCheckShown['problem']>
  title: string
  action: string
  /** A field says what is wrong. */
  isSaid?: boolean
  onSave(): void
}

/** What is wrong with an upstream that was not saved, and a way to save it all the same: its server may start later. */
export const FailedTest = ({ problem, title, action, isSaid = false, onSave }: FailedTestProps) => {
  const { upstreams } = useWords()
  return (
    <div className="error-notice" role="alert">
      <TriangleAlert size={18} strokeWidth={1.5} aria-hidden />
      <div>
        <b>{title}</b>
        <p>
          {isSaid ? null : `${upstreams.faults[problem.fault]} `}
          <button type="button" className="link" onClick={onSave}>
            {action}
          </button>
        </p>
        <p className="secondary small">
          {upstreams.details}{' '}
          <span lang="en" translate="no">
            {problem.reason}
          </span>
        </p>
      </div>
    </div>
  )
}
