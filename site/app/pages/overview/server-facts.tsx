import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../../src/platform/contract/overview.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { bytesText, wholeText } from '../../figures.ts'
import { momentText } from '../../time/moments.ts'

/** What the server knows about itself, whether something is wrong or not. */
export const ServerFacts = ({ overview: data }: { overview: Overview }) => {
  const { language, words } = useLocale()
  const { overview } = words
  const count = (value: number): string => wholeText(value, language)
  const moment = (at: number): string => momentText(at, language)
  const { nodes, models, upstreams, certificateEndsAt, backedUpAt, usesPostgres, diskFreeBytes } = data
  const some = (total: number, failing: number): string =>
    failing === 0 ? count(total) : overview.someFailed(count(total), count(failing))
  const nodesText =
    nodes.silent === 0
      ? overview.allRunning(count(nodes.total))
      : overview.someSilent(count(nodes.total), count(nodes.silent))
  const quiet = (text: string): ReactNode => <span className="muted">{text}</span>
  return (
    <Section title={overview.serverTitle} text={overview.serverText}>
      <dl className="facts overview-facts">
        <Fact name={overview.version}>{data.version}</Fact>
        <Fact name={overview.upSince}>{moment(data.startedAt)}</Fact>
        <Fact name={overview.nodes}>
          <Link to="/admin/nodes">{nodesText}</Link>
        </Fact>
        <Fact name={overview.models}>
          <Link to="/admin/models">{some(models.total, models.failed)}</Link>
        </Fact>
        <Fact name={overview.upstreams}>
          <Link to="/admin/upstreams">{some(upstreams.total, upstreams.failing)}</Link>
        </Fact>
        <Fact name={overview.slots}>{count(data.slots)}</Fact>
        <Fact name={overview.certificateUntil}>
          {certificateEndsAt === null ? quiet(overview.noTls) : moment(certificateEndsAt)}
        </Fact>
        <Fact name={overview.lastBackup}>
          {usesPostgres ? quiet(overview.postgres) : backedUpAt === null ? quiet(overview.never) : moment(backedUpAt)}
        </Fact>
        {diskFreeBytes === null ? null : <Fact name={overview.diskFree}>{bytesText(diskFreeBytes, language)}</Fact>}
      </dl>
    </Section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
