import type { Language } from '../../../../languages/language.ts'
import type { AdminWords } from '../../../../languages/words.ts'
import type { Problem } from '../../../../src/platform/contract/overview.ts'
import { bytesText, percentText, wholeText } from '../../figures.ts'
import { momentText } from '../../time/moments.ts'

/** Where more is shown about it. */
export const problemPages: Partial<Record<Problem['kind'], keyof AdminWords['overview']['show']>> = {
  node: '/admin/nodes',
  gpu: '/admin/nodes',
  versions: '/admin/nodes',
  model: '/admin/models',
  quota: '/admin/upstreams',
  upstream: '/admin/upstreams',
  configuration: '/admin/server',
}

/** What is wrong. It is written before React is there (`first-sight/`), and by the page. */
export const problemText = (
  { kind, level, subject, at, figure }: Problem,
  { overview }: Pick<AdminWords, 'overview'>,
  language: Language,
): string => {
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
    case 'quota':
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
