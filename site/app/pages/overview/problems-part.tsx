import { Link } from '@tanstack/react-router'
import type { Words } from '../../../../languages/words.ts'
import type { Problem } from '../../../../src/platform/contract/overview.ts'
import type { AppPage } from '../../../../src/site-server/pages.ts'
import { Section } from '../../components/section.tsx'
import { Tag } from '../../components/tag.tsx'
import { bytesText, percentText, wholeText } from '../../figures.ts'
import { momentText } from '../../time/moments.ts'
import { useLocale, useWords } from '../../words-context.tsx'

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

/** Where more is shown about it, and the word for that page. */
const pages: Partial<Record<Problem['kind'], { to: AppPage; word(words: Words): string }>> = {
  node: { to: '/admin/nodes', word: ({ admin }) => admin.nodes },
  gpu: { to: '/admin/nodes', word: ({ admin }) => admin.nodes },
  versions: { to: '/admin/nodes', word: ({ admin }) => admin.nodes },
  model: { to: '/admin/models', word: ({ admin }) => admin.models },
  upstream: { to: '/admin/upstreams', word: ({ admin }) => admin.upstreams },
  configuration: { to: '/admin/server', word: ({ shell }) => shell.server },
}

const ProblemText = ({ problem }: { problem: Problem }) => {
  const { words } = useLocale()
  const page = pages[problem.kind]
  return (
    <>
      {useProblemText(problem)} {page === undefined ? null : <Link to={page.to}>{page.word(words)}</Link>}
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
