import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDialog } from '../../address/use-dialog.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'
import { sessionKey, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'
import type { TeamMember } from './team-query.ts'

export const Leave = ({ members }: { members: readonly TeamMember[] }) => {
  const platform = usePlatform()
  const { team, shell } = useWords()
  const { organisation } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  const question = useDialog('leave')
  const owners = members.filter(({ role }) => role === 'owner').length
  const isLast = organisation.role === 'owner' && owners <= 1
  const leave = useMutation({
    mutationFn: () => platform.leaveOrganisation(),
    async onSuccess() {
      question.close()
      toast(team.left(organisation.name))
      await queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  return (
    <SettingsPart title={team.leave} text={team.leaveText}>
      {isLast ? (
        <p className="muted small">{team.leaveLast}</p>
      ) : (
        <Button onClick={() => question.open()}>{team.leave}</Button>
      )}
      <Dialog isOpen={question.isOpen} title={team.leaveTitle(organisation.name)} onClose={question.close}>
        <p>{team.leaveConsequence}</p>
        {leave.isError ? <ErrorNotice error={leave.error} title={team.notLeft} /> : null}
        <div className="actions">
          <Button onClick={question.close}>{shell.cancel}</Button>
          <Button look="danger" busy={leave.isPending} onClick={() => leave.mutate()}>
            {team.leaveNow}
          </Button>
        </div>
      </Dialog>
    </SettingsPart>
  )
}
