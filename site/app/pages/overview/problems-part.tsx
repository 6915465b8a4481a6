import { Link } from '@tanstack/react-router'
import type { Problem } from '../../../../src/platform/contract/overview.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { Tag } from '../../components/tag.tsx'
import { problemPages, problemText } from './problem-text.ts'

export const ProblemsPart = ({ problems }: { problems: readonly Problem[] }) => {
  const { overview } = useWords()
  return (
    <Section title={overview.problemsTitle} text={overview.problemsText}>
      <ul className="problems">
        {problems.length === 0 ? (
          <li>
            <Tag state="ok">{overview.none}</Tag>
            <span className="secondary">{overview.noneText}</span>
          </li>
        ) : (
          problems.map((problem) => (
            <li key={`${problem.kind} ${problem.subject ?? ''}`}>
              <Tag state={problem.level}>{overview.levels[problem.level]}</Tag>
              <span>
                <ProblemText problem={problem} />
              </span>
            </li>
          ))
        )}
      </ul>
    </Section>
  )
}

const ProblemText = ({ problem }: { problem: Problem }) => {
  const { language, words } = useLocale()
  const { overview } = words
  const page = problemPages[problem.kind]
  return (
    <>
      {problemText(problem, words, language)} {page === undefined ? null : <Link to={page}>{overview.show[page]}</Link>}
      {problem.kind === 'backup' ? (
        <code className="nowrap" translate="no">
          helix backup FILE
        </code>
      ) : null}
    </>
  )
}
