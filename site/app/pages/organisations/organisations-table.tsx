import { useLocale } from '../../admin-words-context.tsx'
import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { SuspendButton } from '../../components/suspend-button.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { dayText } from '../../time/moments.ts'
import { useNow } from '../../time/use-now.ts'
import type { ListedOrganisation } from './organisations-query.ts'

type OrganisationsTableProps = {
  organisations: readonly ListedOrganisation[]
  onLook(organisation: ListedOrganisation): void
}

export const OrganisationsTable = ({ organisations, onLook }: OrganisationsTableProps) => {
  const { language, words } = useLocale()
  const { admin, shell } = words
  const now = useNow()
  const columns: Column<ListedOrganisation>[] = [
    { id: 'name', className: 'name', head: shell.name, cell: ({ name }) => <b>{name}</b> },
    {
      id: 'state',
      className: 'state',
      head: shell.state,
      cell: ({ suspendedAt }) => (
        <Tag state={suspendedAt === null ? 'ok' : 'bad'}>{suspendedAt === null ? admin.works : shell.suspended}</Tag>
      ),
    },
    {
      id: 'created',
      className: 'created',
      head: admin.created,
      labelled: true,
      cell: ({ createdAt }) => dayText(createdAt, now, language),
    },
    { id: 'members', end: true, wideOnly: true, head: admin.members, cell: ({ members }) => members },
    { id: 'keys', end: true, wideOnly: true, head: shell.keys, cell: ({ keys }) => keys },
    actionColumn(shell.action, (organisation) => (
      <span className="row-actions">
        <Button aria-label={admin.lookAt(organisation.name)} onClick={() => onLook(organisation)}>
          {admin.look}
        </Button>
        <SuspendButton
          things="organisations"
          id={organisation.id}
          name={organisation.name}
          isSuspended={organisation.suspendedAt !== null}
        />
      </span>
    )),
  ]
  return (
    <Table
      className="cards records"
      caption={admin.organisationsCaption}
      columns={columns}
      rows={organisations}
      rowKey={({ id }) => id}
      isDim={({ suspendedAt }) => suspendedAt !== null}
    />
  )
}
