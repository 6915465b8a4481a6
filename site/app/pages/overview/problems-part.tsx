import { Link } from '@tanstack/react-router'
import type { AdminWords } from '../../../../languages/words.ts'
import type { Problem } from '../../../../src/platform/contract/overview.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { Tag } from '../../components/tag.tsx'
import { bytesText, percentText, wholeText } from '../../figures.ts'
import { momentText } from '../../time/moments.ts'

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

/** Where more is shown about it. */
const pages: Partial<Record<Problem['kind'], keyof AdminWords['overview']['show']>> = {
  node: '/admin/nodes',
  gpu: '/admin/nodes',
  versions: '/admin/nodes',
  model: '/admin/models',
  upstream: '/admin/upstreams',
  configuration: '/admin/server',
}

const ProblemText = ({ problem }: { problem: Problem }) => {
  const { overview } = useWords()
  const page = pages[problem.kind]
  return (
    <>
      {useProblemText(problem)} {page === undefined ? null : <Link to={page}>{overview.show[page]}</Link>}
      {problem.kind === 'backup' ? (
        <code className="nowrap" translate="no">
          helix backup FILE
        </code>
      ) : null}
    </>
  )
}

const useProblemText = ({ kind, level, subject, at, figure }: Problem): string => {
  const { language, words } = useLocale()
  const { overview } = words
  const name = subject ?? ''
  const when = at === null ? '' : momentText(at, language)
  const count = wholeText(figure ?? 0, language)
  switch (kind) {
    case 'ledger':
    case 'versions':
      return overview[kind](count)
    case 'node':
      return overview.node(name, when)
    case 'gpu':
    case 'model':
    case 'upstream':
      return overview[kind](name)
    case 'errors':
      return overview.errors(percentText((figure ?? 0) / 100, language))
    case 'certificate':
      return level === 'bad' ? overview.certificateEnded(when) : overview.certificate(when)
    case 'backup':
      return at === null ? overview.noBackup : overview.backup(when)
    case 'disk':
      return overview.disk(bytesText(figure ?? 0, language))
    case 'redis':
    case 'configuration':
      return overview[kind]
  }
}
