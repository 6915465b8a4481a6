import type { CodeRun } from './code-runs.ts'

/** Code in its colours. */
export const CodeRunViews = ({ runs }: { runs: readonly CodeRun[] }) =>
  runs.map(({ look, text }, index) =>
    look === 'plain' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
      <span key={index} className={look}>
        {text}
      </span>
    ),
  )
