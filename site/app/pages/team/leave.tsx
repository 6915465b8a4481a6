import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { platformPost } from '../../../platform/platform.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'
import { sessionQuery, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'
import type { TeamMember } from './team-query.ts'

export const Leave = ({ members }: { members: readonly TeamMember[] }) => {
  const { team, shell } = useWords()
  const { organisation } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const owners = members.filter(({ role }) => role === 'owner').length
  const isLast = organisation.role === 'owner' && owners <= 1
  const leave = useMutation({
    mutationFn: () => platformPost('/organisation/leave'),
    async onSuccess() {
      setAsking(false)
      toast(team.left(organisation.name))
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <SettingsPart title={team.leave} text={team.leaveText}>
      {isLast ? (
        <p className="muted">{team.leaveLast}</p>
      ) : (
        <Button onClick={() => setAsking(true)}>{team.leave}</Button>
      )}
      <Dialog isOpen={isAsking} title={team.leaveTitle(organisation.name)} onClose={() => setAsking(false)}>
        <p>{team.leaveConsequence}</p>
        {leave.isError ? <ErrorNotice error={leave.error} title={team.notLeft} /> : null}
        <div className="actions">
          <Button onClick={() => setAsking(false)}>{shell.cancel}</Button>
          <Button look="danger" busy={leave.isPending} onClick={() => leave.mutate()}>
            {team.leaveNow}
          </Button>
        </div>
      </Dialog>
    </SettingsPart>
  )
}
