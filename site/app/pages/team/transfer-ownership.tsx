import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDialog } from '../../address/use-dialog.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { sessionKey, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'
import type { TeamMember } from './team-query.ts'

export const TransferOwnership = ({ members }: { members: readonly TeamMember[] }) => {
  const platform = usePlatform()
  const { team, shell } = useWords()
  const { account } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  const others = members.filter(({ id }) => id !== account.id)
  const [chosen, setChosen] = useState<string | null>(null)
  const question = useDialog('transfer')
  const next = others.find(({ id }) => id === chosen) ?? others[0]
  const handOver = useMutation({
    mutationFn: (member: TeamMember) => platform.transferOwnership({ body: { accountId: member.id } }),
    async onSuccess(_, member) {
      question.close()
      toast(team.handedOver(member.email))
      await queryClient.invalidateQueries({ queryKey: sessionKey })
      await queryClient.invalidateQueries({ queryKey: ['team'] })
    },
  })
  if (next === undefined) {
    return (
      <SettingsPart title={team.handOver} text={team.handOverText}>
        <p className="muted small">{team.handOverNobody}</p>
      </SettingsPart>
    )
  }
  return (
    <SettingsPart title={team.handOver} text={team.handOverText}>
      <SelectField
        label={team.newOwner}
        value={next.id}
        options={others.map(({ id, email }) => ({ value: id, text: email }))}
        onChoose={setChosen}
      />
      <Button onClick={() => question.open()}>{team.handOver}</Button>
      <Dialog isOpen={question.isOpen} title={team.handOverTitle(next.email)} onClose={question.close}>
        <p>{team.handOverConsequence}</p>
        {handOver.isError ? <ErrorNotice error={handOver.error} /> : null}
        <div className="actions">
          <Button onClick={question.close}>{shell.cancel}</Button>
          <Button look="danger" busy={handOver.isPending} onClick={() => handOver.mutate(next)}>
            {team.handOverNow}
          </Button>
        </div>
      </Dialog>
    </SettingsPart>
  )
}
