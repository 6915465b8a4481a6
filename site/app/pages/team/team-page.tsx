import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/settings.css'
import '../../../styles/team.css'
import { useDialog } from '../../address/use-dialog.ts'
import { Button } from '../../components/button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useMay } from '../../role.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { DeleteOrganisation } from './delete-organisation.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { Leave } from './leave.tsx'
import { Members } from './members.tsx'
import { Rename } from './rename.tsx'
import { TeamLede } from './team-lede.tsx'
import { invitationsQuery, membersQuery } from './team-query.ts'
import { TextStorage } from './text-storage.tsx'
import { textStorageQuery } from './text-storage-query.ts'
import { TransferOwnership } from './transfer-ownership.tsx'
import { rulesQuery, TwoFactorRule } from './two-factor-rule.tsx'

/** Members, invitations and the settings of the organisation. */
export const TeamPage = () => {
  const { shell, team } = useWords()
  const may = useMay()
  // What stands above the rest is there before the rest is: nothing moves.
  const platform = usePlatform()
  const members = useQuery(membersQuery(platform))
  const invitations = useQuery({ ...invitationsQuery(platform), enabled: may('manageMembers') })
  const storage = useQuery(textStorageQuery(platform))
  const rules = useQuery(rulesQuery(platform))
  const isPartial = [invitations, storage, rules].some(({ isLoading }) => isLoading)
  const shown = isPartial ? { ...members, data: undefined } : members
  const inviting = useDialog('invite')
  usePageTitle(shell.team)
  const inviteButton = (
    <Button look="primary" onClick={() => inviting.open()}>
      <UserPlus size={16} strokeWidth={1.5} aria-hidden />
      {team.invite}
    </Button>
  )
  return (
    <div className="page wide team">
      <PageHead
        title={shell.team}
        lede={<TeamLede members={members.data} />}
        action={may('manageMembers') ? inviteButton : undefined}
      />
      <Loaded query={shown} errorTitle={team.notLoaded} lines={4}>
        {(data) => (
          <>
            <Members members={data} />
            {may('manageMembers') ? <Invitations /> : null}
            {may('changeOrganisation') ? <Rename /> : null}
            <TwoFactorRule />
            <TextStorage />
            {may('handOver') ? <TransferOwnership members={data} /> : null}
            <Leave members={data} />
            {may('handOver') ? <DeleteOrganisation /> : null}
          </>
        )}
      </Loaded>
      <Invite isOpen={inviting.isOpen && may('manageMembers')} onClose={inviting.close} />
    </div>
  )
}
