import { useQuery } from '@tanstack/react-query'
import type { Key } from '../../../../src/platform/contract/keys.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SuspendButton } from '../../components/suspend-button.tsx'
import { Tag } from '../../components/tag.tsx'
import type { TeamMember } from '../team/team-query.ts'
import { type ListedOrganisation, organisationQuery } from './organisations-query.ts'
import '../../../styles/settings.css'

type OrganisationDialogProps = { organisation: ListedOrganisation | null; onClose(): void }

export const OrganisationDialog = ({ organisation, onClose }: OrganisationDialogProps) => (
  <Dialog isOpen={organisation !== null} title={organisation?.name ?? ''} onClose={onClose} wide>
    {organisation === null ? null : <Details id={organisation.id} onClose={onClose} />}
  </Dialog>
)

const Details = ({ id, onClose }: { id: string; onClose(): void }) => {
  const platform = usePlatform()
  const { admin, shell } = useWords()
  const details = useQuery(organisationQuery(platform, id))
  return (
    <>
      <p className="small">
        {shell.id}{' '}
        <span className="mono" translate="no">
          {id}
        </span>{' '}
        <CopyIcon text={id} label={shell.copyId} />
      </p>
      <Loaded query={details} errorTitle={admin.detailsNotLoaded} lines={4}>
        {({ members, keys }) => (
          <>
            <h3>{admin.members}</h3>
            <People members={members} />
            <h3>{shell.keys}</h3>
            <Keys keys={keys.filter(({ revokedAt }) => revokedAt === null)} />
          </>
        )}
      </Loaded>
      <div className="actions">
        <Button onClick={onClose}>{shell.close}</Button>
      </div>
    </>
  )
}

const People = ({ members }: { members: readonly TeamMember[] }) => {
  const { admin, team, shell } = useWords()
  if (members.length === 0) return <p className="muted">{admin.noMembers}</p>
  return (
    <ul className="item-list">
      {members.map(({ id, email, role, suspendedAt }) => (
        <li key={id}>
          <p>
            <span>{email}</span> <span className="muted small">{team.roles[role]}</span>
          </p>
          {suspendedAt === null ? null : <Tag state="bad">{shell.suspended}</Tag>}
        </li>
      ))}
    </ul>
  )
}

const Keys = ({ keys }: { keys: readonly Key[] }) => {
  const { admin, shell } = useWords()
  if (keys.length === 0) return <p className="muted">{admin.noKeys}</p>
  return (
    <ul className="item-list">
      {keys.map(({ id, name, prefix, lastFour, suspendedAt }) => (
        <li key={id}>
          <p>
            <b>{name}</b>{' '}
            <span className="mono small" translate="no">
              {`${prefix}…${lastFour}`}
            </span>
            {suspendedAt === null ? null : <Tag state="bad">{shell.suspended}</Tag>}
          </p>
          <SuspendButton things="keys" id={id} name={name} isSuspended={suspendedAt !== null} />
        </li>
      ))}
    </ul>
  )
}
